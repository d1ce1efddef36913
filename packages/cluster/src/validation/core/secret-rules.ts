import type { Secret } from 'setpoint/kinds'
import { isJsonObject } from 'setpoint/schema'
import { JsonSyntaxError, parseJson } from '../../codec/index.ts'
import { base64Length, base64Text } from '../fields/base64.ts'
import type { FieldPath } from '../go/field-path.ts'
import { checkedKind, type Created } from '../kind-rules.ts'
import { nameRules } from '../fields/name-rule.ts'
import { configKeyProblems } from '../fields/name-rules.ts'
import { sameMap } from '../fields/same-value.ts'

const bytesMax = 1024 * 1024
const accountKey = 'kubernetes.io/service-account.name'

type DecodedSecret = Created<Secret>['object']

function checkSecret({ object, at, checkMetadata }: Created<Secret>): void {
  const { data = {} } = object
  const place = at.child('data')
  let bytes = 0
  checkMetadata()
  for (const [key, value = ''] of Object.entries(data)) {
    place.key(key).invalidEach(key, configKeyProblems(key))
    bytes += base64Length(value)
  }
  if (bytes > bytesMax) place.tooLong(bytesMax)
  checkType(object, at)
}

/** Known types have required keys. */
function checkType({ type, metadata, data = {} }: DecodedSecret, at: FieldPath): void {
  const place = at.child('data')
  const has = (key: string) => Object.hasOwn(data, key)
  const need = (...keys: readonly string[]) => {
    for (const key of keys) if (!has(key)) place.key(key).required()
  }
  switch (type) {
    case 'kubernetes.io/service-account-token':
      if ((metadata?.annotations?.[accountKey] ?? '') === '') {
        at.child('metadata', 'annotations').key(accountKey).required()
      }
      break
    case 'kubernetes.io/dockercfg':
      checkDockerConfig(data['.dockercfg'], place.key('.dockercfg'))
      break
    case 'kubernetes.io/dockerconfigjson':
      checkDockerConfig(data['.dockerconfigjson'], place.key('.dockerconfigjson'))
      break
    case 'kubernetes.io/basic-auth':
      if (!has('username') && !has('password')) need('username', 'password')
      break
    case 'kubernetes.io/ssh-auth':
      if ((data['ssh-privatekey'] ?? '') === '') place.key('ssh-privatekey').required()
      break
    case 'kubernetes.io/tls':
      need('tls.crt', 'tls.key')
      break
    default:
  }
}

function checkDockerConfig(value: string | undefined, at: FieldPath): void {
  if (value === undefined) return at.required()
  const problem = jsonObjectProblem(base64Text(value))
  if (problem !== undefined) at.invalid('<secret contents redacted>', problem)
}

function jsonObjectProblem(text: string): string | undefined {
  if (text.trim() === '') return 'unexpected end of JSON input'
  try {
    const { value } = parseJson(text)
    if (isJsonObject(value) || value === null) return undefined
    const type = Array.isArray(value)
      ? 'array'
      : typeof value === 'boolean'
        ? 'bool'
        : typeof value === 'string'
          ? 'string'
          : 'number'
    return `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.message
    throw error
  }
}

/** The rules of Secrets. */
export const secretRules = checkedKind<Secret>({
  group: '',
  kind: 'Secret',
  resource: 'secrets',
  namespaced: true,
  nameRule: nameRules.subdomain,
  create: checkSecret,
  update(updated) {
    const { object, old, at } = updated
    updated.checkMetadataUpdate()
    const { type = '' } = object
    if (type !== (old.type ?? '')) at.child('type').invalidNamed(type, 'field is immutable')
    if (old.immutable === true) {
      const detail = 'field is immutable when `immutable` is set'
      if (object.immutable !== true) at.child('immutable').forbidden(detail)
      if (!sameMap(object.data, old.data)) at.child('data').forbidden(detail)
    }
    checkSecret(updated)
  },
})
