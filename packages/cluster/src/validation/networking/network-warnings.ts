import type { Endpoints, EndpointSlice, Ingress, NetworkPolicy, Node } from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import type { FieldPath } from '../go/field-path.ts'
import { cidrWarnings, ipWarnings } from '../fields/ip-warnings.ts'
import type { WarningInput } from '../warning-input.ts'

/** Warnings of EndpointSlices. Slices of the cluster's own controllers are not checked. */
export function endpointSliceWarnings(write: WarningInput<Decoded<EndpointSlice>>): string[] {
  const { metadata, addressType, endpoints } = write.object
  const isOld = write.old === undefined && addressType === 'FQDN'
  const old = isOld ? ['spec.addressType: FQDN endpoints are deprecated'] : []
  const manager = metadata?.labels?.['endpointslice.kubernetes.io/managed-by'] ?? ''
  if (/^endpointslice(?:mirroring)?-controller\.k8s\.io$/.test(manager)) return old
  return [
    ...old,
    ...(endpoints ?? []).flatMap(({ addresses = [] }, index) => {
      const place = write.at.child('endpoints').index(index).child('addresses')
      return addresses.flatMap((address, number) => ipWarnings(address, place.index(number)))
    }),
  ]
}

/** Warnings of Endpoints. Those of the endpoints controller are not checked. */
export function endpointsWarnings({ object, at }: WarningInput<Decoded<Endpoints>>): string[] {
  const { metadata, subsets = [] } = object
  const manager = metadata?.labels?.['endpoints.kubernetes.io/managed-by']
  if (manager === 'endpoint-controller') return []
  return subsets.flatMap((subset, index) =>
    (['addresses', 'notReadyAddresses'] as const).flatMap((field) => {
      const place = at.child('subsets').index(index).child(field)
      return (subset[field] ?? []).flatMap(({ ip = '' }, number) =>
        ipWarnings(ip, place.index(number).child('ip')),
      )
    }),
  )
}

interface Peer {
  readonly ipBlock?: { readonly cidr?: string; readonly except?: readonly string[] }
}

function peerWarnings(peers: readonly Peer[], at: FieldPath): string[] {
  return peers.flatMap(({ ipBlock }, index) => {
    const place = at.index(index).child('ipBlock')
    return [
      ...cidrWarnings(ipBlock?.cidr ?? '', place.child('cidr')),
      ...(ipBlock?.except ?? []).flatMap((cidr, number) =>
        cidrWarnings(cidr, place.child('except').index(number)),
      ),
    ]
  })
}

/** Warnings of NetworkPolicies: networks that are not canonical. */
export function networkPolicyWarnings({
  object,
  at,
}: WarningInput<Decoded<NetworkPolicy>>): string[] {
  const { ingress = [], egress = [] } = object.spec ?? {}
  const place = at.child('spec')
  return [
    ...ingress.flatMap(({ from = [] }, index) =>
      peerWarnings(from, place.child('ingress').index(index).child('from')),
    ),
    ...egress.flatMap(({ to = [] }, index) =>
      peerWarnings(to, place.child('egress').index(index).child('to')),
    ),
  ]
}

/** Warnings of new Ingresses. */
export function ingressWarnings({ object, old }: WarningInput<Decoded<Ingress>>): string[] {
  const { metadata, spec } = object
  const key = 'kubernetes.io/ingress.class'
  const isSet = Object.hasOwn(metadata?.annotations ?? {}, key)
  if (old !== undefined || !isSet || spec?.ingressClassName !== undefined) return []
  return [`annotation "${key}" is deprecated, please use 'spec.ingressClassName' instead`]
}

/** Warnings of Nodes: unused fields, networks that are not canonical. */
export function nodeWarnings({ object, at }: WarningInput<Decoded<Node>>): string[] {
  const { configSource, externalID = '', podCIDRs = [] } = object.spec ?? {}
  const place = at.child('spec', 'podCIDRs')
  const unused = 'this field is deprecated, and is unused by Kubernetes'
  return [
    ...(configSource === undefined ? [] : ['spec.configSource: the feature is removed']),
    ...(externalID === '' ? [] : [`spec.externalID: ${unused}`]),
    ...podCIDRs.flatMap((cidr, index) => cidrWarnings(cidr, place.index(index))),
  ]
}

interface Balanced {
  readonly status?: {
    readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string }[] }
  }
}

/** Warnings about the addresses of a load balancer, in Services and Ingresses. */
export function loadBalancerWarnings({ object, at }: WarningInput<Balanced>): string[] {
  const place = at.child('status', 'loadBalancer', 'ingress')
  return (object.status?.loadBalancer?.ingress ?? []).flatMap(({ ip = '' }, index) =>
    ipWarnings(ip, place.index(index)),
  )
}
