import type { JsonObject } from 'setpoint/schema'
import type { ApiRequest } from '../api-request.ts'
import type { ServedResource } from '../resources/served-resource.ts'

/**
 * Gives a service its addresses, or refuses when it asks for some that it cannot have. A real server
 * does this before it validates.
 */
export function completeService(
  request: ApiRequest,
  resource: ServedResource,
  { object, old, isDryRun }: { object: JsonObject; old?: JsonObject; isDryRun: boolean },
): void {
  const isService = resource.group === '' && resource.plural === 'services'
  if (isService && request.info.subresource === '') {
    request.server.services.complete(object, { old, isDryRun })
  }
}
