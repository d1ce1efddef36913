/** Endpoints and EndpointSlices. */
import type { Endpoints, EndpointSlice } from 'setpoint/kinds'
import { protocols } from '../container/container-rules.ts'
import type { FieldPath } from '../go/field-path.ts'
import { parseIp } from '../fields/ip-address.ts'
import { checkEndpointIp, checkLegacyIp, strictIpProblems } from '../fields/ip-rules.ts'
import { checkedKind, type Created } from '../kind-rules.ts'
import { checkLabels, checkQualifiedName } from '../fields/check-label-selector.ts'
import { nameRules } from '../fields/name-rule.ts'
import {
  labelProblems,
  labelValueProblems,
  portNumberProblems,
  subdomainProblems,
} from '../fields/name-rules.ts'
import { checkImmutable } from '../object-meta.ts'
import { sameValue } from '../fields/same-value.ts'

type Subset = NonNullable<Created<Endpoints>['object']['subsets']>[number]
type Address = NonNullable<Subset['addresses']>[number]

function checkAddress({ ip = '', hostname = '', nodeName }: Address, at: FieldPath): void {
  checkLegacyIp(ip, at.child('ip'))
  if (hostname !== '') at.child('hostname').invalidEach(hostname, labelProblems(hostname))
  if (nodeName !== undefined) {
    at.child('nodeName').invalidEach(nodeName, subdomainProblems(nodeName))
  }
  checkEndpointIp(ip, at.child('ip'))
}

function checkSubsets(subsets: readonly Subset[], at: FieldPath): void {
  for (const [index, subset] of subsets.entries()) {
    const { addresses = [], notReadyAddresses = [], ports = [] } = subset
    const place = at.index(index)
    if (addresses.length + notReadyAddresses.length === 0) {
      place.required('must specify `addresses` or `notReadyAddresses`')
    }
    for (const [field, list] of Object.entries({ addresses, notReadyAddresses })) {
      for (const [number, address] of list.entries()) {
        checkAddress(address, place.child(field).index(number))
      }
    }
    for (const [number, port] of ports.entries()) {
      const { name = '', port: portNumber = 0, protocol = '', appProtocol } = port
      const portAt = place.child('ports').index(number)
      if (name !== '') portAt.child('name').invalidEach(name, labelProblems(name))
      else if (ports.length > 1) portAt.child('name').required()
      portAt.child('port').invalidEach(portNumber, portNumberProblems(portNumber))
      checkProtocol(protocol, portAt.child('protocol'))
      if (appProtocol !== undefined) checkQualifiedName(appProtocol, portAt.child('appProtocol'))
    }
  }
}

function checkProtocol(protocol: string, at: FieldPath): void {
  if (protocol === '') at.required()
  else if (!protocols.includes(protocol)) at.notSupported(protocol, protocols)
}

/** The rules of Endpoints. */
export const endpointsRules = checkedKind<Endpoints>({
  group: '',
  kind: 'Endpoints',
  resource: 'endpoints',
  namespaced: true,
  nameRule: nameRules.subdomain,
  create({ object, at, checkMetadata }) {
    checkMetadata()
    checkSubsets(object.subsets ?? [], at.child('subsets'))
  },
  update({ object, old, at, checkMetadata, checkMetadataUpdate }) {
    checkMetadataUpdate()
    checkMetadata()
    if (sameValue(object.subsets, old.subsets)) return
    checkSubsets(object.subsets ?? [], at.child('subsets'))
  },
})

type Slice = Created<EndpointSlice>['object']
type Endpoint = NonNullable<Slice['endpoints']>[number]

const addressTypes = ['FQDN', 'IPv4', 'IPv6']
const endpointsMax = 1000
const addressesMax = 100
const portsMax = 20000
const hintsMax = 8
const topologyMax = 16

function checkSlicePorts(slice: Slice, at: FieldPath): void {
  const ports = slice.ports ?? []
  if (ports.length > portsMax) return at.tooMany(ports.length, portsMax)
  const names = new Set<string>()
  for (const [index, { name = '', protocol, appProtocol }] of ports.entries()) {
    const place = at.index(index)
    if (name !== '') place.child('name').invalidEach(name, labelProblems(name))
    if (names.has(name)) place.child('name').duplicate(name)
    names.add(name)
    if (protocol === undefined) place.child('protocol').required()
    else if (!protocols.includes(protocol)) {
      place.child('protocol').notSupported(protocol, protocols)
    }
    if (appProtocol !== undefined) checkQualifiedName(appProtocol, place.child('appProtocol'))
  }
}

function checkEndpoints({ endpoints, addressType = '' }: Slice, at: FieldPath): void {
  const list = endpoints ?? []
  if (list.length > endpointsMax) return at.tooMany(list.length, endpointsMax)
  for (const [index, endpoint] of list.entries()) {
    const { addresses = [], nodeName, hostname, deprecatedTopology = {}, hints } = endpoint
    const place = at.index(index)
    const addressesAt = place.child('addresses')
    if (addresses.length === 0) addressesAt.required('must contain at least 1 address')
    else if (addresses.length > addressesMax) addressesAt.tooMany(addresses.length, addressesMax)
    for (const [number, address] of addresses.entries()) {
      checkSliceAddress({ address, addressType, index: number }, addressesAt)
    }
    if (nodeName !== undefined) {
      place.child('nodeName').invalidEach(nodeName, subdomainProblems(nodeName))
    }
    const count = Object.keys(deprecatedTopology).length
    if (count > topologyMax) place.child('deprecatedTopology').tooMany(count, topologyMax)
    checkLabels(deprecatedTopology, place.child('deprecatedTopology'))
    if (hostname !== undefined) {
      place.child('hostname').invalidEach(hostname, labelProblems(hostname))
    }
    if (hints !== undefined) checkHints(hints, place.child('hints'))
  }
}

interface SliceAddress {
  readonly address: string
  readonly addressType: string
  readonly index: number
}

/** Some errors are reported at the whole list. */
function checkSliceAddress({ address, addressType, index }: SliceAddress, at: FieldPath): void {
  const place = at.index(index)
  if (addressType === 'FQDN') return checkFqdn(address, place)
  if (addressType !== 'IPv4' && addressType !== 'IPv6') return
  if (addressType === 'IPv4') {
    if (!checkLegacyIp(address, place)) return
  } else {
    const problems = strictIpProblems(address)
    place.invalidEach(address, problems)
    if (problems.length > 0) return
  }
  if (parseIp(address)?.isIpv4 !== (addressType === 'IPv4')) {
    at.invalid(address, `must be an ${addressType} address`)
  }
  checkEndpointIp(address, place)
}

function checkFqdn(text: string, at: FieldPath): void {
  if (text === '') return at.required()
  const name = text.endsWith('.') ? text.slice(0, -1) : text
  const problems = subdomainProblems(name)
  if (problems.length > 0) return at.invalid(name, problems.join(','))
  const labels = name.split('.')
  if (labels.length < 2) {
    return at.invalid(name, 'should be a domain with at least two segments separated by dots')
  }
  for (const label of labels) {
    const problems = labelProblems(label)
    if (problems.length > 0) return at.invalid(label, problems.join(','))
  }
}

function checkHints(
  { forZones = [], forNodes = [] }: NonNullable<Endpoint['hints']>,
  at: FieldPath,
): void {
  for (const [field, list, problemsOf] of [
    ['forZones', forZones, labelValueProblems],
    ['forNodes', forNodes, subdomainProblems],
  ] as const) {
    if (list.length > hintsMax) return at.child(field).tooMany(list.length, hintsMax)
    const names = new Set<string>()
    for (const [index, { name = '' }] of list.entries()) {
      const place = at.child(field).index(index).child('name')
      if (names.has(name)) place.duplicate(name)
      names.add(name)
      place.invalidEach(name, problemsOf(name))
    }
  }
}

function checkSlice({ object, at, checkMetadata }: Created<EndpointSlice>, old?: Slice): void {
  const { addressType = '' } = object
  const typeAt = at.child('addressType')
  checkMetadata()
  if (addressType === '') typeAt.required()
  else if (!addressTypes.includes(addressType)) typeAt.notSupported(addressType, addressTypes)
  checkSlicePorts(object, at.child('ports'))
  if (old !== undefined && sameValue(object.endpoints, old.endpoints)) return
  checkEndpoints(object, at.child('endpoints'))
}

/** The rules of EndpointSlices. */
export const endpointSliceRules = checkedKind<EndpointSlice>({
  group: 'discovery.k8s.io',
  kind: 'EndpointSlice',
  resource: 'endpointslices',
  namespaced: true,
  nameRule: nameRules.subdomain,
  create(created) {
    checkSlice(created)
  },
  update(updated) {
    const { object, old, at } = updated
    checkSlice(updated, old)
    checkImmutable(object.addressType, old.addressType, at.child('addressType'))
  },
})
