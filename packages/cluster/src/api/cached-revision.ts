import type { UserInfo } from '../auth/index.ts'
import type { FaultedRequest } from '../faults/index.ts'
import type { ApiRequest } from './api-request.ts'
import type { RequestInfo } from './http/request-info.ts'

/** What faults read of a request. */
export function faultedRequest(info: RequestInfo, user: UserInfo): FaultedRequest {
  const { verb, group, resource, subresource, namespace, name, query } = info
  return { verb, group, resource, subresource, namespace, name, query, user: user.name }
}

/**
 * The revision of the watch cache, from which reads with `resourceVersion=0` are answered. It is
 * the revision of the storage unless a fault holds the cache back.
 */
export function cachedRevision({ server, info, user }: ApiRequest): number {
  if (!server.faults.hasLag) return server.store.revision
  const newest = server.faults.newestVisible(faultedRequest(info, user))
  return Math.min(newest, server.store.revision)
}

/** How long a real server waits for a revision that its watch cache does not have yet. */
const freshnessMs = 3_000
const pollMs = 100

/** Waits until the watch cache has a revision. Returns whether it has. */
export async function isCachedInTime(request: ApiRequest, revision: number): Promise<boolean> {
  const { host } = request.server
  for (let waitedMs = 0; cachedRevision(request) < revision; waitedMs += pollMs) {
    if (waitedMs >= freshnessMs) return false
    await host.sleep(pollMs)
  }
  return true
}
