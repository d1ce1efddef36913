import type { JsonObject } from 'setpoint/schema'
import type { ApiRequest } from '../api-request.ts'
import type { ServedResource } from '../resources/served-resource.ts'

/**
 * Allocates the addresses of a service, or refuses the requested ones. A real server does this
 * before validation.
 */
export function completeService(
  request: ApiRequest,
  resource: ServedResource,
  { object, old, isDryRun }: { object: JsonObject; old?: JsonObject; isDryRun: boolean },
): void {
  if (isService(resource) && request.info.subresource === '') {
    request.server.services.complete(object, { old, isDryRun })
  }
}

/**
 * Ends a step between validation and storage. The write of a service has none there: another
 * service could take its addresses meanwhile.
 */
export async function nextTurn({ turns }: ApiRequest, resource: ServedResource): Promise<void> {
  if (!isService(resource)) await turns.next()
}

function isService({ group, plural }: ServedResource): boolean {
  return group === '' && plural === 'services'
}
