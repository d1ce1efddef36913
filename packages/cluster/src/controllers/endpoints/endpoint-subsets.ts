import type { Frozen } from 'setpoint'
import type { Endpoints } from 'setpoint/kinds'
import { isReady, type PodObject } from '../pods/pod-state.ts'
import {
  addressesOf,
  endpointPorts,
  hostnameOf,
  isReachable,
  type ServiceObject,
} from './endpoint-rules.ts'

type Subset = NonNullable<Frozen<Endpoints>['subsets']>[number]
type Address = NonNullable<Subset['addresses']>[number]

/**
 * The subsets of an Endpoints object: pods with the same ports are in one subset, and unready
 * addresses are listed separately.
 */
export function endpointSubsets(service: ServiceObject, pods: readonly PodObject[]): Subset[] {
  const publishesAll = service.spec.publishNotReadyAddresses === true
  const family = service.spec.ipFamilies?.[0] ?? 'IPv4'
  const groups = new Map<
    string,
    { ports: NonNullable<Subset['ports']>; ready: Address[]; unready: Address[] }
  >()
  for (const pod of pods) {
    const [ip] = addressesOf(pod, family)
    if (!isReachable(pod, publishesAll) || ip === undefined) continue
    const ports = endpointPorts(service, pod)
      .map(plainPort)
      .sort((a, b) => (portText(a) < portText(b) ? -1 : 1))
    const hasNoPorts = (service.spec.ports ?? []).length === 0
    if (ports.length === 0 && !(hasNoPorts && service.spec.clusterIP === 'None')) continue
    const id = JSON.stringify(ports)
    const group = groups.get(id) ?? { ports, ready: [], unready: [] }
    groups.set(id, group)
    const isUp = publishesAll || isReady(pod)
    group[isUp ? 'ready' : 'unready'].push(addressOf(service, pod, ip))
  }
  const subsets = [...groups.values()].map(({ ports, ready, unready }) => ({
    ...(ready.length === 0 ? {} : { addresses: sorted(ready) }),
    ...(unready.length === 0 ? {} : { notReadyAddresses: sorted(unready) }),
    ...(ports.length === 0 ? {} : { ports }),
  }))
  return subsets.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

function addressOf(service: ServiceObject, pod: PodObject, ip: string): Address {
  const { namespace, name, uid } = pod.metadata
  const hostname = hostnameOf(service, pod)
  return {
    ip,
    ...(hostname === undefined ? {} : { hostname }),
    nodeName: pod.spec.nodeName ?? '',
    targetRef: { kind: 'Pod', namespace, name, uid },
  }
}

function plainPort(
  port: ReturnType<typeof endpointPorts>[number],
): NonNullable<Subset['ports']>[number] {
  const { name = '', port: number = 0, protocol = 'TCP', appProtocol } = port
  return {
    ...(name === '' ? {} : { name }),
    port: number,
    protocol,
    ...(appProtocol === undefined ? {} : { appProtocol }),
  }
}

function portText({
  name = '',
  port,
  protocol = 'TCP',
}: NonNullable<Subset['ports']>[number]): string {
  return `${name} ${String(port).padStart(5, '0')} ${protocol}`
}

function sorted(addresses: readonly Address[]): Address[] {
  const text = ({ ip, targetRef }: Address): string => `${ip} ${targetRef?.uid ?? ''}`
  return [...addresses].sort((a, b) => (text(a) < text(b) ? -1 : 1))
}
