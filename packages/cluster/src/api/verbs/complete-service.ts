import type { FieldError, JsonObject } from 'setpoint/schema'
import type { ApiRequest } from '../api-request.ts'
import type { ServedResource } from '../resources/served-resource.ts'

/**
 * Gives a service its addresses; the problems when it asks for some that it cannot have. They are told
 * only when the service is valid otherwise, as on a real server.
 */
export function completeService(
  request: ApiRequest,
  resource: ServedResource,
  { object, old }: { object: JsonObject; old?: JsonObject },
): FieldError[] {
  const isService = resource.group === '' && resource.plural === 'services'
  if (!isService || request.info.subresource !== '') return []
  return request.server.services.complete(object, old)
}
