import type { Frozen } from 'setpoint'
import type { EndpointSlice, Node, Service } from 'setpoint/kinds'
import { isTerminating } from '../../object/index.ts'
import { isFinished, isReady, type PodObject } from '../pods/pod-state.ts'

export type ServiceObject = Frozen<Service>
export type SliceObject = Frozen<EndpointSlice>
export type Endpoint = NonNullable<SliceObject['endpoints']>[number]
export type EndpointPort = NonNullable<SliceObject['ports']>[number]
type ServicePort = NonNullable<ServiceObject['spec']['ports']>[number]

export const headlessLabel = 'service.kubernetes.io/headless'
export const triggerTimeAnnotation = 'endpoints.kubernetes.io/last-change-trigger-time'

/** Whether a service has endpoints of pods that it selects. */
export function hasSelectedPods({ spec }: ServiceObject): boolean {
  return spec.selector !== undefined && spec.type !== 'ExternalName'
}

/** Whether a service has no cluster IP. */
export function isHeadless({ spec }: ServiceObject): boolean {
  return spec.clusterIP === undefined || spec.clusterIP === '' || spec.clusterIP === 'None'
}

/** Whether a pod has an address that can be an endpoint. Terminating pods count only on request. */
export function isReachable(pod: PodObject, includesTerminating: boolean): boolean {
  if (isFinished(pod) || (pod.status?.podIPs ?? []).length === 0) return false
  return includesTerminating || !isTerminating(pod)
}

/**
 * The port of a pod that a service port targets; `undefined` if the pod has no port of that name.
 */
function portOf(pod: PodObject, { targetPort, port, protocol }: ServicePort): number | undefined {
  if (typeof targetPort === 'number') return targetPort
  if (targetPort === undefined) return port
  const sidecars = (pod.spec.initContainers ?? []).filter(
    ({ restartPolicy }) => restartPolicy === 'Always',
  )
  const ports = [...pod.spec.containers, ...sidecars].flatMap((container) => container.ports ?? [])
  const named = ports.find((one) => one.name === targetPort && (one.protocol ?? 'TCP') === protocol)
  return named?.containerPort
}

/** The ports of a service on a pod, in the format of EndpointSlices. */
export function endpointPorts({ spec }: ServiceObject, pod: PodObject): EndpointPort[] {
  return (spec.ports ?? []).flatMap((servicePort) => {
    const port = portOf(pod, servicePort)
    if (port === undefined) return []
    const { name = '', protocol = 'TCP', appProtocol } = servicePort
    return [{ name, port, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) }]
  })
}

/** The addresses of a pod in one IP family. */
export function addressesOf({ status }: PodObject, family: string): string[] {
  const addresses = (status?.podIPs ?? []).map(({ ip }) => ip)
  return addresses.filter((ip) => ip.includes(':') === (family === 'IPv6'))
}

/** The hostname of a pod in DNS, if the service is its subdomain. */
export function hostnameOf(service: ServiceObject, { spec }: PodObject): string | undefined {
  const { hostname, subdomain } = spec
  return hostname !== undefined && subdomain === service.metadata.name ? hostname : undefined
}

/** The endpoint of a pod. */
export function endpointOf(
  service: ServiceObject,
  pod: PodObject,
  { node, family }: { readonly node: Frozen<Node> | undefined; readonly family: string },
): Endpoint {
  const serving = isReady(pod)
  const terminating = isTerminating(pod)
  const ready = service.spec.publishNotReadyAddresses === true || (serving && !terminating)
  const zone = node?.metadata.labels?.['topology.kubernetes.io/zone']
  const hostname = hostnameOf(service, pod)
  const { nodeName } = pod.spec
  const { namespace, name, uid } = pod.metadata
  const endpoint = {
    addresses: addressesOf(pod, family),
    conditions: { ready, serving, terminating },
    ...(hostname === undefined ? {} : { hostname }),
    targetRef: { kind: 'Pod', namespace, name, uid },
    ...(nodeName === undefined ? {} : { nodeName }),
    ...(zone === undefined || zone === '' ? {} : { zone }),
  }
  const hints = ready ? hintsOf(service, endpoint) : undefined
  return hints === undefined ? endpoint : { ...endpoint, hints }
}

/** The topology hints for a service with trafficDistribution. */
function hintsOf(
  { spec }: ServiceObject,
  { zone, nodeName }: Endpoint,
): Endpoint['hints'] | undefined {
  const preference = spec.trafficDistribution
  const isClose = ['PreferClose', 'PreferSameZone', 'PreferSameNode'].includes(preference ?? '')
  const forZones = isClose && zone !== undefined ? { forZones: [{ name: zone }] } : {}
  const isSameNode = preference === 'PreferSameNode' && nodeName !== undefined
  const forNodes = isSameNode ? { forNodes: [{ name: nodeName }] } : {}
  const hints = { ...forZones, ...forNodes }
  return Object.keys(hints).length === 0 ? undefined : hints
}
