import type { AnyOperator } from 'setpoint'
import type { ManifestSettings } from './manifest-settings.ts'

/** The port of the pods. */
export const webhooksPort = 9443

/** Whether the operators of a project review requests, convert objects, or serve APIs. */
export function hasWebhooks(operators: readonly AnyOperator[]): boolean {
  return operators.some(
    ({ declaration: { admission, definition, api } }) =>
      admission.length > 0 || (definition?.versions.length ?? 1) > 1 || api !== undefined,
  )
}

/** The Service by which API servers call the pods. */
export function webhookAddress({ name, namespace }: ManifestSettings): {
  readonly service: { readonly name: string; readonly namespace: string }
} {
  return { service: { name: `${name}-webhooks`, namespace } }
}
