import type { APIService } from 'setpoint/kinds'
import { base64Length } from '../fields/base64.ts'
import type { FieldPath } from '../go/field-path.ts'
import { checkedKind, type Created } from '../kind-rules.ts'
import { nameRules } from '../fields/name-rule.ts'
import {
  label1035Problems,
  pathSegmentProblems,
  portNumberProblems,
  subdomainProblems,
} from '../fields/name-rules.ts'

type Spec = NonNullable<Created<APIService>['object']['spec']>

/** The name must be `version.group`. */
function checkName({ object, at }: Created<APIService>): void {
  const { name = '' } = object.metadata ?? {}
  const { group = '', version = '' } = object.spec ?? {}
  const expected = `${version}.${group}`
  if (name === '' || name === expected || pathSegmentProblems(name).length > 0) return
  at.child('metadata', 'name').invalid(
    name,
    `must be \`spec.version+"."+spec.group\`: "${expected}"`,
  )
}

function checkApiService(created: Created<APIService>): void {
  const { object, at } = created
  const { spec = {} } = object
  const place = at.child('spec')
  const { group = '', version = '', groupPriorityMinimum = 0, versionPriority = 0 } = spec
  created.checkMetadata()
  checkName(created)
  if (group === '' && version !== 'v1') {
    place.child('group').required('only v1 may have an empty group and it better be legacy kube')
  }
  if (group !== '') place.child('group').invalidEach(group, subdomainProblems(group))
  place.child('version').invalidEach(version, label1035Problems(version))
  if (groupPriorityMinimum <= 0 || groupPriorityMinimum > 20000) {
    const detail = 'must be positive and less than 20000'
    place.child('groupPriorityMinimum').invalid(groupPriorityMinimum, detail)
  }
  if (versionPriority <= 0 || versionPriority > 1000) {
    const detail = 'must be positive and less than 1000'
    place.child('versionPriority').invalid(versionPriority, detail)
  }
  checkBackend(spec, place)
}

function checkBackend(spec: Spec, at: FieldPath): void {
  const { service, insecureSkipTLSVerify = false } = spec
  const caBytes = base64Length(spec.caBundle ?? '')
  const skipAt = at.child('insecureSkipTLSVerify')
  if (service === undefined) {
    if (caBytes > 0) {
      const detail = 'local APIServices may not have a caBundle'
      at.child('caBundle').invalid(`${caBytes} bytes`, detail)
    }
    if (insecureSkipTLSVerify) {
      skipAt.invalid(true, 'local APIServices may not have insecureSkipTLSVerify')
    }
    return
  }
  const { namespace = '', name = '', port = 443 } = service
  if (namespace === '') at.child('service', 'namespace').required()
  if (name === '') at.child('service', 'name').required()
  const problems = portNumberProblems(port)
  if (problems.length > 0) {
    at.child('service', 'port').invalid(port, `port is not valid: ${problems.join(', ')}`)
  }
  if (insecureSkipTLSVerify && caBytes > 0) {
    skipAt.invalid(true, 'may not be true if caBundle is present')
  }
}

/** The rules of APIServices. */
export const apiServiceRules = checkedKind<APIService>({
  group: 'apiregistration.k8s.io',
  kind: 'APIService',
  resource: 'apiservices',
  namespaced: false,
  nameRule: nameRules.pathSegment,
  allowsPlainFinalizers: true,
  create: checkApiService,
  update(updated) {
    updated.checkMetadataUpdate()
    checkApiService(updated)
  },
  subresources: {
    status({ object, at, checkMetadataUpdate }) {
      const statuses = ['True', 'False', 'Unknown']
      checkMetadataUpdate()
      for (const [index, { status = '' }] of (object.status?.conditions ?? []).entries()) {
        if (statuses.includes(status)) continue
        const place = at.child('status', 'conditions').index(index)
        place.child('status').notSupported(status, statuses)
      }
    },
  },
})
