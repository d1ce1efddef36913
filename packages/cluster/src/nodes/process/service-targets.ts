import type { Frozen } from 'setpoint'
import type { SocketAddress } from 'setpoint/host'
import type { EndpointSlice } from 'setpoint/kinds'

/** The ready endpoints of a Service port, which EndpointSlices identify by name. */
export function targetsOf(
  slices: readonly Frozen<EndpointSlice>[],
  portName: string,
): SocketAddress[] {
  return slices.flatMap(({ endpoints, ports = [] }) => {
    const port = ports?.find(({ name = '' }) => name === portName)?.port
    if (port === undefined) return []
    return (endpoints ?? [])
      .filter(({ conditions }) => conditions?.ready !== false)
      .flatMap(({ addresses }) => addresses.map((hostname) => ({ hostname, port })))
  })
}
