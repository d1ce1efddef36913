import type { JsonObject, JsonValue } from 'setpoint/schema'
import { metadataOf, nameOf } from '../../object/index.ts'
import { ageOf } from '../age.ts'
import { selectorText, type LabelSelector } from '../label-text.ts'
import { loadBalancerAddresses, type LoadBalancerStatus } from '../load-balancer.ts'
import type { CellPrinters } from '../row-printer.ts'

/** The group networking.k8s.io. */
export const networkingPrinters: CellPrinters = {
  'networking.k8s.io/ingressclasses': ingressClassCells,
  'networking.k8s.io/ingresses': ingressCells,
  'networking.k8s.io/ipaddresses': ipAddressCells,
  'networking.k8s.io/networkpolicies': networkPolicyCells,
  'networking.k8s.io/servicecidrs': serviceCidrCells,
}

interface Ingress {
  readonly spec?: {
    readonly ingressClassName?: string
    readonly rules?: readonly { readonly host?: string }[]
    readonly tls?: readonly object[]
  }
  readonly status?: { readonly loadBalancer?: LoadBalancerStatus }
}

function ingressCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { spec, status } = object as unknown as Ingress
  return [
    nameOf(object),
    spec?.ingressClassName ?? '<none>',
    hostsText(spec?.rules ?? []),
    loadBalancerAddresses(status?.loadBalancer).join(','),
    (spec?.tls ?? []).length === 0 ? '80' : '80, 443',
    ageOf(object, nowMs),
  ]
}

const shownHosts = 3

/** Rules without a host are not shown, but included in the number of hidden ones. */
function hostsText(rules: readonly { readonly host?: string }[]): string {
  const hosts: string[] = []
  let isShortened = false
  for (const { host = '' } of rules) {
    if (hosts.length === shownHosts) isShortened = true
    else if (host !== '') hosts.push(host)
  }
  if (hosts.length === 0) return '*'
  const text = hosts.join(',')
  return isShortened ? `${text} + ${rules.length - shownHosts} more...` : text
}

interface IngressClass {
  readonly spec?: {
    readonly controller?: string
    readonly parameters?: {
      readonly apiGroup?: string
      readonly kind: string
      readonly name: string
    }
  }
}

function ingressClassCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { spec } = object as unknown as IngressClass
  const isDefault =
    metadataOf(object).annotations?.['ingressclass.kubernetes.io/is-default-class'] === 'true'
  return [
    isDefault ? `${nameOf(object)} (default)` : nameOf(object),
    spec?.controller ?? '',
    parametersText(spec?.parameters),
    ageOf(object, nowMs),
  ]
}

type Parameters = NonNullable<IngressClass['spec']>['parameters']

function parametersText(parameters: Parameters): string {
  if (parameters === undefined) return '<none>'
  const { apiGroup, kind, name } = parameters
  return apiGroup === undefined ? `${kind}/${name}` : `${kind}.${apiGroup}/${name}`
}

interface IpAddress {
  readonly spec?: {
    readonly parentRef?: {
      readonly group?: string
      readonly resource?: string
      readonly namespace?: string
      readonly name?: string
    }
  }
}

function ipAddressCells(object: JsonObject, nowMs: number): JsonValue[] {
  const parent = (object as unknown as IpAddress).spec?.parentRef
  return [nameOf(object), parentText(parent), ageOf(object, nowMs)]
}

function parentText(parent: NonNullable<IpAddress['spec']>['parentRef']): string {
  if (parent === undefined) return '<none>'
  const { group = '', resource = '', namespace = '', name = '' } = parent
  const groupResource = (group === '' ? resource : `${resource}.${group}`).toLowerCase()
  return namespace === '' ? `${groupResource}/${name}` : `${groupResource}/${namespace}/${name}`
}

function networkPolicyCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { spec } = object as unknown as { readonly spec?: { readonly podSelector?: LabelSelector } }
  return [nameOf(object), selectorText(spec?.podSelector), ageOf(object, nowMs)]
}

function serviceCidrCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { spec } = object as unknown as { readonly spec?: { readonly cidrs?: readonly string[] } }
  return [nameOf(object), (spec?.cidrs ?? []).join(','), ageOf(object, nowMs)]
}
