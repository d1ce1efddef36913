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
  const isService = resource.group === '' && resource.plural === 'services'
  if (isService && request.info.subresource === '') {
    request.server.services.complete(object, { old, isDryRun })
  }
}
