import { goQuote, type JsonObject } from 'setpoint/schema'
import { keyOf } from '../../object/index.ts'
import { ApiError, badRequest, notFound, unexpectedError } from '../../status/index.ts'
import type { ApiRequest } from '../api-request.ts'
import { readObject } from '../object-text.ts'
import type { Outcome } from '../outcome.ts'
import type { ServedResource } from '../resources/served-resource.ts'
import { containerNamed, type PodContainers } from './pod-container.ts'
import { noLog } from './pod-log.ts'

/** Answers subresources that need a kubelet, when no node runs the pod. */
export function respondWithoutNode(request: ApiRequest, resource: ServedResource): Outcome {
  const { namespace, name, subresource } = request.info
  if (subresource === 'portforward') checkPorts(request.info.query)
  const key = keyOf(resource.namespaced ? namespace : '', name)
  const stored = request.server.store.get(resource.bucket, key)
  if (stored === undefined) throw notFound({ group: '', resource: resource.plural }, name)
  if (resource.plural === 'services') checkEndpoints(request, key)
  if (resource.plural === 'nodes') checkAddresses(readObject(resource, stored))
  if (resource.plural !== 'pods') {
    throw new ApiError({
      code: 503,
      reason: 'ServiceUnavailable',
      message: `no endpoints available for ${resource.singular} "${name}"`,
    })
  }
  const pod = readObject(resource, stored)
  const { nodeName = '' } = (pod['spec'] ?? {}) as { nodeName?: string }
  if (['log', 'exec', 'attach'].includes(subresource)) {
    const asked = request.info.query.get('container') ?? ''
    containerNamed(pod as unknown as PodContainers, name, asked)
  }
  const { podIP = '' } = (pod['status'] ?? {}) as { podIP?: string }
  if (podIP === '' && subresource === 'proxy') throw badRequest('address not allowed')
  // A pod that was never scheduled has no log.
  if (nodeName === '' && subresource === 'log') return { response: noLog }
  if (nodeName !== '' && !hasNode(request, nodeName)) {
    throw notFound({ group: '', resource: 'pods' }, nodeName)
  }
  if (nodeName === '') throw badRequest(`pod ${name} does not have a host assigned`)
  throw new ApiError({
    code: 501,
    reason: 'NotImplemented',
    message:
      request.server.pods === undefined
        ? `pods/${subresource} needs a node, and this cluster runs none`
        : `pods/${subresource} is not supported by the nodes of this cluster`,
  })
}

function hasNode({ server }: ApiRequest, name: string): boolean {
  const nodes = server.registry.find('', 'v1', 'nodes')
  return nodes !== undefined && server.store.get(nodes.bucket, keyOf('', name)) !== undefined
}

const portMax = 65_535

/** 400 for a port that is not a number of 16 bits. */
function checkPorts(query: URLSearchParams): void {
  for (const text of query.getAll('ports').flatMap((ports) => ports.split(','))) {
    const isNumber = /^\d+$/.test(text)
    if (isNumber && Number(text) <= portMax) continue
    const problem = isNumber ? 'value out of range' : 'invalid syntax'
    throw badRequest(
      `cannot convert to []int32: strconv.ParseUint: parsing ${goQuote(text)}: ${problem}`,
    )
  }
}

/** Without Endpoints, which a controller creates, a real server does not find the service. */
function checkEndpoints({ server, info }: ApiRequest, key: string): void {
  const endpoints = server.registry.find('', 'v1', 'endpoints')
  if (endpoints !== undefined && server.store.get(endpoints.bucket, key) !== undefined) return
  throw notFound({ group: '', resource: 'services' }, info.name)
}

interface NodeAddress {
  readonly type: string
  readonly address: string
}

const preferredAddresses: ReadonlySet<string> = new Set([
  'Hostname',
  'InternalDNS',
  'InternalIP',
  'ExternalDNS',
  'ExternalIP',
])

function checkAddresses(node: JsonObject): void {
  const { addresses = [] } = (node['status'] ?? {}) as { addresses?: readonly NodeAddress[] }
  if (addresses.some(({ type }) => preferredAddresses.has(type))) return
  const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ')
  throw unexpectedError(`no preferred addresses found; known addresses: [${known}]`)
}
