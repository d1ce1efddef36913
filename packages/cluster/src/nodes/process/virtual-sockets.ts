import { isSetpointError } from 'setpoint'
import type { Network, Sockets } from 'setpoint/host'

/**
 * What connections are in a virtual world, which knows only requests: somebody is there if anything answers. Services
 * have no doors in it; clients find pods by their endpoints.
 */
export function virtualSockets(network: Pick<Network, 'request'>): Sockets {
  return {
    knock: async ({ hostname, port }) => {
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
