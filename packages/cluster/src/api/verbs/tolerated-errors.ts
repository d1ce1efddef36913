import type { FieldError } from 'setpoint/schema'
import type { ApiServer } from '../api-request.ts'

/** What is left of what is wrong with an object in this cluster: where pods live on loopback, endpoints are there too. */
export function toleratedErrors(server: ApiServer, errors: readonly FieldError[]): FieldError[] {
  if (server.hasLoopbackPods !== true) return [...errors]
  return errors.filter(({ detail }) => !detail.startsWith('may not be in the loopback range'))
}
