import type { ConfigMap } from 'setpoint/kinds'
import { base64Length } from '../fields/base64.ts'
import { checkedKind, type Created } from '../kind-rules.ts'
import { nameRules } from '../fields/name-rule.ts'
import { byteLength, configKeyProblems } from '../fields/name-rules.ts'
import { sameMap, sameValue } from '../fields/same-value.ts'

const bytesMax = 1024 * 1024

function checkConfigMap({ object, at, checkMetadata }: Created<ConfigMap>): void {
  const { data = {}, binaryData = {} } = object
  let bytes = 0
  checkMetadata()
  for (const [key, value = ''] of Object.entries(data)) {
    const place = at.child('data').key(key)
    place.invalidEach(key, configKeyProblems(key))
    if (Object.hasOwn(binaryData, key)) {
      place.invalid(key, 'duplicate of key present in binaryData')
    }
    bytes += byteLength(value)
  }
  for (const [key, value = ''] of Object.entries(binaryData)) {
    at.child('binaryData').key(key).invalidEach(key, configKeyProblems(key))
    bytes += base64Length(value)
  }
  if (bytes > bytesMax) at.unnamed().tooLong(bytesMax)
}

/** The rules of ConfigMaps. */
export const configMapRules = checkedKind<ConfigMap>({
  group: '',
  kind: 'ConfigMap',
  resource: 'configmaps',
  namespaced: true,
  nameRule: nameRules.subdomain,
  create: checkConfigMap,
  update(updated) {
    const { object, old, at } = updated
    updated.checkMetadataUpdate()
    if (old.immutable === true) {
      const detail = 'field is immutable when `immutable` is set'
      if (object.immutable !== true) at.child('immutable').forbidden(detail)
      // A default of `data` makes a missing map empty.
      if (!sameValue(object.data, old.data)) at.child('data').forbidden(detail)
      if (!sameMap(object.binaryData, old.binaryData)) at.child('binaryData').forbidden(detail)
    }
    checkConfigMap(updated)
  },
})
