import type { IPAddress, NetworkPolicy, ServiceCIDR } from 'setpoint/kinds'
import type { FieldPath } from '../go/field-path.ts'
import { printStruct } from '../go/go-struct.ts'
import { containsIp, parseCidr } from '../fields/ip-address.ts'
import { checkLegacyCidr, checkStrictCidr, strictIpProblems } from '../fields/ip-rules.ts'
import { checkedKind, type Created } from '../kind-rules.ts'
import { checkLabelSelector } from '../fields/check-label-selector.ts'
import { nameRules } from '../fields/name-rule.ts'
import {
  pathSegmentProblems,
  portNameProblems,
  portNumberProblems,
  subdomainProblems,
} from '../fields/name-rules.ts'
import { sameValue } from '../fields/same-value.ts'

type Spec = NonNullable<Created<NetworkPolicy>['object']['spec']>
type Ingress = NonNullable<Spec['ingress']>[number]
type Port = NonNullable<Ingress['ports']>[number]
type Peer = NonNullable<Ingress['from']>[number]

/** Values that are allowed because the stored policy has them. */
interface Tolerated {
  readonly cidrs: readonly (string | undefined)[]
  readonly allowInvalidValues: boolean
}

const strict: Tolerated = { cidrs: [], allowInvalidValues: false }
const protocols = ['TCP', 'UDP', 'SCTP']
const policyTypes = ['Ingress', 'Egress']

function checkPort({ protocol, port, endPort }: Port, at: FieldPath): void {
  const endAt = at.child('endPort')
  if (protocol !== undefined && !protocols.includes(protocol)) {
    at.child('protocol').notSupported(protocol, protocols)
  }
  if (port === undefined) {
    const detail = 'may not be specified when `port` is not specified'
    if (endPort !== undefined) endAt.invalid(endPort, detail)
  } else if (typeof port === 'string') {
    const detail = 'may not be specified when `port` is non-numeric'
    if (endPort !== undefined) endAt.invalid(endPort, detail)
    at.child('port').invalidEach(port, portNameProblems(port))
  } else {
    at.child('port').invalidEach(port, portNumberProblems(port))
    if (endPort === undefined) return
    // A real server shows the port here, not the endPort.
    if (endPort < port) endAt.invalid(port, 'must be greater than or equal to `port`')
    endAt.invalidEach(endPort, portNumberProblems(endPort))
  }
}

function checkPeer(peer: Peer, at: FieldPath, tolerated: Tolerated): void {
  const { podSelector, namespaceSelector, ipBlock } = peer
  const { allowInvalidValues } = tolerated
  checkLabelSelector(podSelector, at.child('podSelector'), { allowInvalidValues })
  checkLabelSelector(namespaceSelector, at.child('namespaceSelector'), { allowInvalidValues })
  if (ipBlock !== undefined) checkIpBlock(ipBlock, at.child('ipBlock'), tolerated)
  const count = [podSelector, namespaceSelector, ipBlock].filter(
    (part) => part !== undefined,
  ).length
  if (count === 0) at.required('must specify a peer')
  else if (count > 1 && ipBlock !== undefined) {
    at.forbidden('may not specify both ipBlock and another peer')
  }
}

function checkIpBlock(
  { cidr = '', except = [] }: NonNullable<Peer['ipBlock']>,
  at: FieldPath,
  { cidrs }: Tolerated,
): void {
  if (cidr === '') return at.child('cidr').required()
  checkLegacyCidr(cidr, at.child('cidr'), cidrs)
  const outer = parseCidr(cidr)
  if (outer === undefined) return
  for (const [index, text] of except.entries()) {
    const place = at.child('except').index(index)
    checkLegacyCidr(text, place, cidrs)
    const inner = parseCidr(text)
    if (inner === undefined) continue
    if (containsIp(outer, inner.address, inner.network) && outer.prefix < inner.prefix) continue
    place.invalid(text, 'must be a strict subset of `cidr`')
  }
}

function checkSpec(spec: Spec, at: FieldPath, tolerated: Tolerated): void {
  const { ingress = [], egress = [], policyTypes: chosen = [] } = spec
  checkLabelSelector(spec.podSelector, at.child('podSelector'), tolerated)
  const sides = [
    ...ingress.map(({ ports, from }, index) => ({ side: 'ingress', index, ports, peers: from })),
    ...egress.map(({ ports, to }, index) => ({ side: 'egress', index, ports, peers: to })),
  ]
  for (const { side, index, ports = [], peers = [] } of sides) {
    const place = at.child(side).index(index)
    for (const [number, port] of ports.entries())
      checkPort(port, place.child('ports').index(number))
    for (const [number, peer] of peers.entries()) {
      checkPeer(peer, place.child(side === 'ingress' ? 'from' : 'to').index(number), tolerated)
    }
  }
  if (chosen.length > 2) {
    return at.child('policyTypes').invalid(chosen, 'may not specify more than two policyTypes')
  }
  for (const [index, type] of chosen.entries()) {
    if (!policyTypes.includes(type)) {
      at.child('policyTypes').index(index).notSupported(type, policyTypes)
    }
  }
}

function toleratedOf({ podSelector, ingress = [], egress = [] }: Spec, at: FieldPath): Tolerated {
  const peers = [...ingress.map(({ from }) => from), ...egress.map(({ to }) => to)]
  const blocks = peers.flatMap((list) => (list ?? []).map(({ ipBlock }) => ipBlock))
  return {
    cidrs: blocks.flatMap((block) => [block?.cidr, ...(block?.except ?? [])]),
    allowInvalidValues: at.silent().collects((place) => checkLabelSelector(podSelector, place)),
  }
}

/** The rules of NetworkPolicies. */
export const networkPolicyRules = checkedKind<NetworkPolicy>({
  group: 'networking.k8s.io',
  kind: 'NetworkPolicy',
  resource: 'networkpolicies',
  namespaced: true,
  nameRule: nameRules.subdomain,
  create({ object, at, checkMetadata }) {
    checkMetadata()
    checkSpec(object.spec ?? {}, at.child('spec'), strict)
  },
  update({ object, old, at, checkMetadataUpdate }) {
    checkMetadataUpdate()
    checkSpec(object.spec ?? {}, at.child('spec'), toleratedOf(old.spec ?? {}, at))
  },
})

function checkIpAddress({ object, at, checkMetadata }: Created<IPAddress>): void {
  const parent = object.spec?.parentRef
  const place = at.child('spec', 'parentRef')
  checkMetadata()
  if (parent === undefined) return place.required()
  const { group = '', namespace = '' } = parent
  if (group !== '') place.child('group').invalidEach(group, subdomainProblems(group))
  for (const field of ['resource', 'name'] as const) {
    const text = parent[field] ?? ''
    if (text === '') place.child(field).required()
    else place.child(field).invalidEach(text, pathSegmentProblems(text))
  }
  place.child('namespace').invalidEach(namespace, pathSegmentProblems(namespace))
}

/** The rules of IPAddresses, whose name is the address. */
export const ipAddressRules = checkedKind<IPAddress>({
  group: 'networking.k8s.io',
  kind: 'IPAddress',
  resource: 'ipaddresses',
  namespaced: false,
  nameRule: strictIpProblems,
  create: checkIpAddress,
  update(updated) {
    const { object, old, at } = updated
    checkIpAddress(updated)
    updated.checkMetadataUpdate()
    if (sameValue(object.spec?.parentRef, old.spec?.parentRef)) return
    const printed = printStruct(object.spec?.parentRef, 'ParentReference')
    at.child('spec', 'parentRef').invalidPrinted(printed, 'field is immutable')
  },
})

function checkCidrs(cidrs: readonly string[], at: FieldPath): void {
  if (cidrs.length === 0) return at.required('at least one CIDR required')
  if (cidrs.length > 2) {
    const printed = printStruct({ cidrs }, 'ServiceCIDRSpec')
    return at.invalidPrinted(printed, 'may only hold up to 2 values')
  }
  for (const [index, cidr] of cidrs.entries()) checkStrictCidr(cidr, at.index(index))
  const [first, second] = cidrs.map((cidr) => parseCidr(cidr)?.address.isIpv4)
  if (cidrs.length === 2 && first !== undefined && first === second) {
    const detail =
      'may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64'
    at.invalid(cidrs, detail)
  }
}

/** The rules of ServiceCIDRs. */
export const serviceCidrRules = checkedKind<ServiceCIDR>({
  group: 'networking.k8s.io',
  kind: 'ServiceCIDR',
  resource: 'servicecidrs',
  namespaced: false,
  nameRule: nameRules.subdomain,
  create({ object, at, checkMetadata }) {
    checkMetadata()
    checkCidrs(object.spec?.cidrs ?? [], at.child('spec', 'cidrs'))
  },
  update({ object, old, at, checkMetadataUpdate }) {
    const { cidrs = [] } = object.spec ?? {}
    const { cidrs: before = [] } = old.spec ?? {}
    const place = at.child('spec', 'cidrs')
    checkMetadataUpdate()
    const isExtended = before.length === 1 && cidrs.length === 2
    if (before.length !== cidrs.length && !isExtended) {
      return place.invalid(object.spec?.cidrs, 'field is immutable')
    }
    for (const [index, cidr] of before.entries()) {
      if (cidr !== cidrs[index]) place.index(index).invalid(cidrs[index], 'field is immutable')
    }
    if (isExtended) checkCidrs(cidrs, place)
  },
  subresources: {
    status({ checkMetadataUpdate }) {
      checkMetadataUpdate()
    },
  },
})
