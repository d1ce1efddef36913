import type { Ingress, IngressClass } from 'setpoint/kinds'
import type { FieldPath } from '../go/field-path.ts'
import { parseIp } from '../fields/ip-address.ts'
import { checkLegacyIp } from '../fields/ip-rules.ts'
import { checkDomainPath } from '../batch/job-spec.ts'
import { checkedKind, type Created } from '../kind-rules.ts'
import { checkHostname } from '../core/load-balancer-status.ts'
import { nameRules } from '../fields/name-rule.ts'
import {
  byteLength,
  labelProblems,
  pathSegmentProblems,
  portNameProblems,
  portNumberProblems,
  subdomainProblems,
  wildcardSubdomainProblems,
} from '../fields/name-rules.ts'
import { checkImmutable } from '../object-meta.ts'

type Spec = NonNullable<Created<Ingress>['object']['spec']>
type Backend = NonNullable<Spec['defaultBackend']>
type Rule = NonNullable<Spec['rules']>[number]
type Path = NonNullable<NonNullable<Rule['http']>['paths']>[number]

const classAnnotation = 'kubernetes.io/ingress.class'
const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix']
const badParts = ['//', '/./', '/../', '%2f', '%2F']
const badEnds = ['/..', '/.']

/** Values that are allowed because the stored Ingress has them. */
interface Tolerated {
  readonly secretNames: boolean
  readonly wildcardRules: boolean
}

const strict: Tolerated = { secretNames: false, wildcardRules: false }

function hostProblems(host: string): string[] {
  return host.includes('*') ? wildcardSubdomainProblems(host) : subdomainProblems(host)
}

function checkSpec(spec: Spec, at: FieldPath, tolerated: Tolerated): void {
  const { rules = [], defaultBackend, tls = [], ingressClassName } = spec
  if (rules.length === 0 && defaultBackend === undefined) {
    at.invalid(spec.rules, 'either `defaultBackend` or `rules` must be specified')
  }
  if (defaultBackend !== undefined) checkBackend(defaultBackend, at.child('defaultBackend'))
  for (const [index, rule] of rules.entries()) {
    checkRule(rule, at.child('rules').index(index), tolerated)
  }
  for (const [index, { hosts = [], secretName = '' }] of tls.entries()) {
    const place = at.child('tls').index(index)
    for (const [number, host] of hosts.entries()) {
      place.child('hosts').index(number).invalidEach(host, hostProblems(host))
    }
    if (secretName === '' || tolerated.secretNames) continue
    place.child('secretName').invalidEach(secretName, subdomainProblems(secretName))
  }
  if (ingressClassName !== undefined) {
    const problems = subdomainProblems(ingressClassName)
    at.child('ingressClassName').invalidEach(ingressClassName, problems)
  }
}

function checkRule({ host = '', http }: Rule, at: FieldPath, tolerated: Tolerated): void {
  if (host !== '') {
    const place = at.child('host')
    if (parseIp(host) !== undefined) place.invalid(host, 'must be a DNS name, not an IP address')
    place.invalidEach(host, hostProblems(host))
  }
  if (http === undefined || (host.includes('*') && tolerated.wildcardRules)) return
  const paths = http.paths ?? []
  if (paths.length === 0) at.child('http', 'paths').required()
  for (const [index, path] of paths.entries()) {
    checkPath(path, at.child('http', 'paths').index(index))
  }
}

function checkPath({ path = '', pathType, backend = {} }: Path, at: FieldPath): void {
  const place = at.child('path')
  if (pathType === undefined) return at.child('pathType').required('pathType must be specified')
  if (!pathTypes.includes(pathType)) at.child('pathType').notSupported(pathType, pathTypes)
  else if (pathType === 'ImplementationSpecific') {
    if (path !== '' && !path.startsWith('/')) place.invalid(path, 'must be an absolute path')
  } else {
    if (!path.startsWith('/')) place.invalid(path, 'must be an absolute path')
    for (const part of badParts) {
      if (path.includes(part)) place.invalid(path, `must not contain '${part}'`)
    }
    for (const end of badEnds) {
      if (path.endsWith(end)) place.invalid(path, `cannot end with '${end}'`)
    }
  }
  checkBackend(backend, at.child('backend'))
}

function checkBackend({ service, resource }: Backend, at: FieldPath): void {
  if (resource !== undefined && service !== undefined) {
    return at.invalid('', 'cannot set both resource and service backends')
  }
  if (resource !== undefined) return checkReference(resource, at.child('resource'))
  if (service === undefined) return at.invalid('', 'resource or service backend is required')
  const { name = '', port = {} } = service
  const nameAt = at.child('service', 'name')
  if (name === '') nameAt.required()
  else nameAt.invalidEach(name, labelProblems(name))
  const { name: portName = '', number = 0 } = port
  if (portName !== '' && number !== 0) at.invalid('', 'cannot set both port name & port number')
  else if (portName !== '') {
    at.child('service', 'port', 'name').invalidEach(portName, portNameProblems(portName))
  } else if (number !== 0) {
    at.child('service', 'port', 'number').invalidEach(number, portNumberProblems(number))
  } else at.required('port name or number is required')
}

interface Reference {
  readonly apiGroup?: string | null
  readonly kind?: string
  readonly name?: string
}

function checkReference(reference: Reference, at: FieldPath): void {
  const { apiGroup } = reference
  if (apiGroup !== undefined && apiGroup !== null) {
    at.child('apiGroup').invalidEach(apiGroup, subdomainProblems(apiGroup))
  }
  for (const field of ['kind', 'name'] as const) {
    const text = reference[field] ?? ''
    if (text === '') at.child(field).required()
    else at.child(field).invalidEach(text, pathSegmentProblems(text))
  }
}

/** The rules of Ingresses. */
export const ingressRules = checkedKind<Ingress>({
  group: 'networking.k8s.io',
  kind: 'Ingress',
  resource: 'ingresses',
  namespaced: true,
  nameRule: nameRules.subdomain,
  create({ object, at, checkMetadata }) {
    checkMetadata()
    checkSpec(object.spec ?? {}, at.child('spec'), strict)
    const annotation = object.metadata?.annotations?.[classAnnotation]
    const className = object.spec?.ingressClassName
    if (annotation === undefined || className === undefined || annotation === className) return
    const detail = 'must match `ingressClassName` when both are specified'
    at.child('annotations', classAnnotation).invalid(annotation, detail)
  },
  update({ object, old, at, checkMetadata, checkMetadataUpdate }) {
    const { tls = [], rules = [] } = old.spec ?? {}
    checkMetadataUpdate()
    checkMetadata()
    checkSpec(object.spec ?? {}, at.child('spec'), {
      secretNames: tls.some(
        ({ secretName = '' }) => secretName !== '' && subdomainProblems(secretName).length > 0,
      ),
      wildcardRules: rules.some(
        ({ host = '', ...rule }) =>
          host.includes('*') && at.silent().collects((place) => checkRule(rule, place, strict)),
      ),
    })
  },
  subresources: {
    status({ object, old, at, checkMetadataUpdate }) {
      const ingress = object.status?.loadBalancer?.ingress ?? []
      const known = (old.status?.loadBalancer?.ingress ?? []).map(({ ip }) => ip)
      checkMetadataUpdate()
      for (const [index, { ip = '', hostname = '' }] of ingress.entries()) {
        const place = at.child('status', 'loadBalancer', 'ingress').index(index)
        if (ip !== '') checkLegacyIp(ip, place.child('ip'), known)
        checkHostname(hostname, place.child('hostname'))
      }
    },
  },
})

const controllerMax = 250
const scopes = ['Cluster', 'Namespace']

function checkClassSpec({ object, at }: Created<IngressClass>): void {
  const { controller = '', parameters } = object.spec ?? {}
  const controllerAt = at.child('spec', 'controller')
  if (byteLength(controller) > controllerMax) controllerAt.tooLong(controllerMax)
  checkDomainPath(controller, controllerAt)
  if (parameters === undefined) return
  const place = at.child('spec', 'parameters')
  checkReference(parameters, place)
  const scope = parameters.scope ?? undefined
  const namespace = parameters.namespace ?? undefined
  const namespaceAt = place.child('namespace')
  if (scope === undefined) place.child('scope').required()
  else if (!scopes.includes(scope)) place.child('scope').notSupportedText(scope, scopes)
  else if (scope === 'Cluster') {
    if (namespace !== undefined) namespaceAt.forbidden("`parameters.scope` is set to 'Cluster'")
  } else if (namespace === undefined) {
    namespaceAt.required("`parameters.scope` is set to 'Namespace'")
  } else namespaceAt.invalidEach(namespace, labelProblems(namespace))
}

/** The rules of IngressClasses. */
export const ingressClassRules = checkedKind<IngressClass>({
  group: 'networking.k8s.io',
  kind: 'IngressClass',
  resource: 'ingressclasses',
  namespaced: false,
  nameRule: nameRules.subdomain,
  create(created) {
    created.checkMetadata()
    checkClassSpec(created)
  },
  update(updated) {
    const { object, old, at } = updated
    updated.checkMetadataUpdate()
    const place = at.child('spec', 'controller')
    checkImmutable(object.spec?.controller ?? '', old.spec?.controller ?? '', place)
    updated.checkMetadata()
    checkClassSpec(updated)
  },
})
