import type { PodView } from '../behaviour/index.ts'

const anyAddress = '0.0.0.0'

/** The host ports of a pod, as `protocol/port/address`. */
export function portsOf({ spec }: PodView): string[] {
  const sidecars = (spec.initContainers ?? []).filter(
    ({ restartPolicy }) => restartPolicy === 'Always',
  )
  return [...spec.containers, ...sidecars].flatMap(({ ports = [] }) =>
    ports.flatMap(({ hostPort = 0, protocol = 'TCP', hostIP = '' }) =>
      hostPort === 0 ? [] : [`${protocol}/${hostPort}/${hostIP === '' ? anyAddress : hostIP}`],
    ),
  )
}

/** Whether two host ports conflict. */
export function portsClash(one: string, other: string): boolean {
  const [oneAddress, otherAddress] = [addressOf(one), addressOf(other)]
  if (one.slice(0, -oneAddress.length) !== other.slice(0, -otherAddress.length)) return false
  return oneAddress === otherAddress || [oneAddress, otherAddress].includes(anyAddress)
}

function addressOf(port: string): string {
  return port.slice(port.lastIndexOf('/') + 1)
}
