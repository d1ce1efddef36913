import type { Kind } from '../kinds/kind.ts'
import type { AdmissionContext, Awaitable } from './admission-context.ts'
import type { AdmissionOperation, MutateOptions } from './admission-options.ts'

/** A function of `.validate` or `.mutate` with its checked options. */
export interface AdmissionDeclaration {
  readonly type: 'validate' | 'mutate'
  readonly id: string
  readonly kind: Kind
  /** `undefined` for the objects themselves. */
  readonly subresource: string | undefined
  readonly operations: readonly AdmissionOperation[]
  readonly timeoutSeconds: number
  readonly options: MutateOptions
  /** The place in the author's sources, for the log. */
  readonly declaredAt: string | undefined
  /** The result is checked: the author may have no compiler. */
  readonly run: (object: never, context: AdmissionContext) => Awaitable<unknown>
}

/**
 * The path at which a function is served. It does not depend on the order of declarations, because
 * pods of two releases serve it during an upgrade.
 */
export function admissionPath({ type, id }: AdmissionDeclaration, operator: string): string {
  return `/${type}/${encodeURIComponent(operator)}/${id}`
}

/**
 * The name of a webhook in messages: at least three labels, as API servers require, and different
 * for each function of a process.
 */
export function webhookName(
  { id, kind, subresource }: AdmissionDeclaration,
  operator: string,
): string {
  const resource = [kind.plural, ...(subresource === undefined ? [] : [subresource])].join('-')
  const isDefault = operator === `${kind.plural}.${kind.group}`
  const place = isDefault ? kind.group : `${operator}.setpoint.dev`
  return `${id}.${resource}.${place}`
    .toLowerCase()
    .split('.')
    .map((label) => label.replaceAll(/[^a-z0-9-]+/g, '-').replaceAll(/^-+|-+$/g, ''))
    .join('.')
}
