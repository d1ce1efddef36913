import { isSetpointError } from 'setpoint'
import type { Network, Sockets } from 'setpoint/host'

/**
 * Sockets of a virtual host, which only has requests: a port is open if a request is answered.
 * Service ports are not forwarded; clients use the endpoints of pods.
 */
export function virtualSockets(network: Pick<Network, 'request'>): Sockets {
  return {
    probeTcp: async ({ hostname, port }) => {
      try {
        const { body } = await network.request({
          method: 'GET',
          url: `http://${hostname}:${port}/`,
        })
        await body[Symbol.asyncIterator]().return()
      } catch (error) {
        if (isSetpointError(error, 'NETWORK_CONNECT_FAILED')) throw error
      }
    },
    forward: async () => ({ close: async () => undefined }),
  }
}
