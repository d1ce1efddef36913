import { type AnyOperator, rbacFor } from 'setpoint'
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

/**
 * Whether the operators of a project need pods. Policies alone do not: API servers evaluate them. An
 * operator that reconciles has permissions, at least to read its kind.
 */
export function needsPods(operators: readonly AnyOperator[]): boolean {
  return hasWebhooks(operators) || rbacFor(operators).length > 0
}

/** The Service by which API servers call the pods. */
export function webhookAddress({ name, namespace }: ManifestSettings): {
  readonly service: { readonly name: string; readonly namespace: string }
} {
  return { service: { name: `${name}-webhooks`, namespace } }
}
