import type { FieldError, JsonObject } from 'setpoint/schema'
import { rulesOfKind, rulesOfResource } from './builtin-rules.ts'
import { nameRules, type NameRule } from './fields/name-rule.ts'
import { validateObjectMeta, validateObjectMetaUpdate } from './object-meta.ts'

/** A built-in kind, and whether it is namespaced. */
interface BuiltinIdentity {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** An object of a built-in kind before it is stored. */
export interface BuiltinInput extends BuiltinIdentity {
  /** Decoded and defaulted, in the version of the request. */
  readonly object: JsonObject
  /** The stored object in the same version; undefined for a create. */
  readonly old?: JsonObject | undefined
  /** Empty or absent for the object itself. */
  readonly subresource?: string | undefined
}

/** The name rule of a resource. Custom resources have the most common one. */
export function nameRuleOf(group: string, resource: string): NameRule {
  return rulesOfResource(group, resource)?.nameRule ?? nameRules.subdomain
}

/**
 * The rules of the kind alone, in the order of a real server. Kinds without rules have no errors.
 * Requests use validateCreate and validateUpdate, which add the rules that all kinds share.
 */
function validateBuiltin(input: BuiltinInput): FieldError[] {
  const { object, old, subresource } = input
  const rules = rulesOfKind(input.group, input.kind)
  if (rules === undefined) return []
  if (old === undefined) return rules.create(object)
  return rules.update({ object, old, subresource }) ?? []
}

function metadataOf(object: JsonObject): JsonObject {
  return (object['metadata'] ?? {}) as JsonObject
}

/** A new object, and the scope of its kind. */
interface CreateInput extends BuiltinIdentity {
  readonly namespaced: boolean
  readonly object: JsonObject
}

/**
 * All checks of a create: the kind's own rules and, only when those found nothing, the common ones
 * of metadata.
 */
export function validateCreate(input: CreateInput): FieldError[] {
  const errors = validateBuiltin({ ...input, old: undefined })
  if (errors.length > 0) return errors
  const { namespaced } = input
  return validateObjectMeta(metadataOf(input.object), {
    namespaced,
    nameRule: nameRules.pathSegment,
  })
}

/** A changed object and the stored one. */
interface UpdateInput extends CreateInput {
  readonly old: JsonObject
  /** Empty for the object itself, otherwise `status` and the like. */
  readonly subresource?: string | undefined
}

/**
 * All checks of an update: first the common rules of metadata, then the kind's own, which often
 * check the metadata again. Duplicate errors are kept, because a real server repeats them in the
 * causes.
 */
export function validateUpdate(input: UpdateInput): FieldError[] {
  const { object, old, namespaced } = input
  const metadata = metadataOf(object)
  return [
    ...validateObjectMeta(metadata, { namespaced, nameRule: nameRules.pathSegment }),
    ...validateObjectMetaUpdate(metadata, metadataOf(old)),
    ...validateBuiltin(input),
  ]
}
