import type { FieldError } from 'setpoint/schema'
import type { ApiServer } from '../api-request.ts'

/**
 * Drops errors that this cluster tolerates: with loopback pods, endpoints have loopback addresses.
 */
export function toleratedErrors(server: ApiServer, errors: readonly FieldError[]): FieldError[] {
  if (server.hasLoopbackPods !== true) return [...errors]
  return errors.filter(({ detail }) => !detail.startsWith('may not be in the loopback range'))
}
