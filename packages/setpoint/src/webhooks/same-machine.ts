import { type Client, type Connection, isApiError } from '../client/index.ts'
import { EndpointSlice } from '../kinds/index.ts'

/** Whether a URL has a loopback address. */
export function isLoopbackUrl(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
}

/**
 * Whether the API server runs on this machine, outside of containers, so that it reaches webhooks
 * on a loopback address. A loopback address of the server is not enough: kind and minikube forward
 * one to a container. Their servers publish the address of the container as the endpoint of the
 * Service `kubernetes`; a server that has only a loopback address publishes none.
 */
export async function isOnSameMachine(
  client: Client,
  { server, proxy }: Pick<Connection, 'server' | 'proxy'>,
): Promise<boolean> {
  // Behind a proxy, a loopback address belongs to the machine of the proxy.
  if (!isLoopbackUrl(server) || proxy !== undefined) return false
  try {
    const slice = await client.find(EndpointSlice, { namespace: 'default', name: 'kubernetes' })
    return (slice?.endpoints ?? []).length === 0
  } catch (error) {
    if (isApiError(error, 'API_FORBIDDEN')) return false
    throw error
  }
}
