import { jsonEquals, type JsonObject } from 'setpoint/schema'
import type { ApplySchema } from './types/apply-type.ts'
import { assertType } from './types/check-type.ts'
import { compareValues, type Comparison } from './types/compare-values.ts'
import { FieldConflicts } from './conflict-error.ts'
import {
  differenceOf,
  emptyFieldSet,
  intersectionOf,
  isEmptySet,
  unionOf,
  unionOfAll,
  type FieldSet,
} from './fields/field-set.ts'
import { fieldsOfValue, withDeclaredFields } from './fields/fields-of-value.ts'
import { followSchema } from './types/follow-schema.ts'
import type { Ownership } from './managed-fields.ts'
import { mergeValues } from './types/merge-values.ts'
import { removeFields } from './fields/remove-fields.ts'
import { filterFields, type ResetFields } from './fields/reset-fields.ts'

/** The versions of a kind: managers own fields of the version that they wrote. */
export interface KindVersions {
  /** The version of the request. */
  readonly apiVersion: string
  readonly schema: ApplySchema
  /** Undefined for a version that does not exist. */
  readonly schemaOfVersion: (apiVersion: string) => ApplySchema | undefined
  /** Needed where versions differ in more than their name. */
  readonly convert?: ((object: JsonObject, apiVersion: string) => JsonObject) | undefined
}

type Owners = Map<string, Ownership>

/** The object in another version; undefined when managers of that version are dropped. */
function inVersion(
  object: JsonObject,
  apiVersion: string,
  versions: KindVersions,
): { readonly object: JsonObject; readonly schema: ApplySchema } | undefined {
  const isOwn = apiVersion === versions.apiVersion
  const schema = isOwn ? versions.schema : versions.schemaOfVersion(apiVersion)
  if (schema === undefined) {
    if (!versions.schema.isCustom) {
      if (apiVersion.split('/').length <= 2) return undefined
      throw new Error(`unexpected GroupVersion string: ${apiVersion}`)
    }
    throw new Error(`request to convert CR to an invalid group/version: ${apiVersion}`)
  }
  if (object['apiVersion'] === apiVersion) return { object, schema }
  const converted = versions.convert?.(object, apiVersion) ?? { ...object, apiVersion }
  assertType(converted, schema.type, { allowDuplicates: false })
  return { object: converted, schema }
}

function explain<T>(what: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    if (error instanceof FieldConflicts) throw error
    throw new Error(`${what}: ${(error as Error).message}`, { cause: error })
  }
}

/** A change of an object and its writer. */
interface OwnedChange {
  readonly versions: KindVersions
  readonly owners: ReadonlyMap<string, Ownership>
  /** The identity of the writer. */
  readonly self: string
  readonly reset: ResetFields
}

/** A comparison with what is computed once for all owners. */
interface OwnersComparison extends Comparison {
  readonly changed: FieldSet
}

interface OwnershipChange {
  readonly owners: Owners
  readonly comparison: Comparison
}

/**
 * Takes changed and removed fields from all managers but `self`; throws the conflicts unless
 * forced.
 */
function transferOwnership(
  change: OwnedChange & { readonly force: boolean },
  before: JsonObject,
  after: JsonObject,
): OwnershipChange {
  const { versions, self, reset } = change
  const comparisons = new Map<string, OwnersComparison | undefined>()
  const compareIn = (apiVersion: string): OwnersComparison | undefined => {
    const old = explain('failed to convert old object', () =>
      inVersion(before, apiVersion, versions),
    )
    const now = explain('failed to convert new object', () =>
      inVersion(after, apiVersion, versions),
    )
    if (old === undefined || now === undefined) return undefined
    const all = explain('failed to compare objects', () =>
      compareValues(old.object, now.object, old.schema.type),
    )
    const filter = reset[apiVersion]
    const modified = filterFields(all.modified, filter)
    const added = filterFields(all.added, filter)
    const removed = filterFields(all.removed, filter)
    return { removed, modified, added, changed: unionOf(modified, added) }
  }
  const comparisonOf = (apiVersion: string): OwnersComparison | undefined => {
    if (!comparisons.has(apiVersion)) comparisons.set(apiVersion, compareIn(apiVersion))
    return comparisons.get(apiVersion)
  }

  const comparison = comparisonOf(versions.apiVersion)
  if (comparison === undefined) throw new Error('the comparison of the request version is missing')
  const owners: Owners = new Map()
  const conflicts: { readonly id: string; readonly fields: FieldSet }[] = []
  for (const [id, owner] of change.owners) {
    if (id === self) {
      owners.set(id, owner)
      continue
    }
    const theirs = comparisonOf(owner.apiVersion)
    if (theirs === undefined) continue
    const lost = intersectionOf(owner.fields, theirs.changed)
    if (!isEmptySet(lost)) conflicts.push({ id, fields: lost })
    const fields = differenceOf(differenceOf(owner.fields, lost), theirs.removed)
    if (!isEmptySet(fields)) owners.set(id, { ...owner, fields })
  }
  if (!change.force && conflicts.length > 0) throw new FieldConflicts(conflicts)
  return { owners, comparison }
}

/** Adapts the fields of managers to schemas that changed since they were written. */
function followSchemas(live: JsonObject, change: OwnedChange): Owners {
  const owners: Owners = new Map()
  const converted = new Map<string, ReturnType<typeof inVersion>>()
  for (const [id, owner] of change.owners) {
    const { apiVersion } = owner
    if (!converted.has(apiVersion)) {
      converted.set(apiVersion, inVersion(live, apiVersion, change.versions))
    }
    const inOwnersVersion = converted.get(apiVersion)
    if (inOwnersVersion === undefined) continue
    owners.set(id, { ...owner, fields: followSchema(owner.fields, inOwnersVersion.schema.type) })
  }
  return owners
}

/** The owners after an update: the writer owns all fields that it changed or added. */
export function ownAfterUpdate(change: OwnedChange, live: JsonObject, updated: JsonObject): Owners {
  const { versions, self, reset } = change
  const followed = followSchemas(live, change)
  const outcome = transferOwnership({ ...change, owners: followed, force: true }, live, updated)
  const { owners, comparison } = outcome
  const own = owners.get(self)?.fields ?? emptyFieldSet
  const changed = unionOf(comparison.modified, comparison.added)
  const fields = filterFields(
    unionOf(differenceOf(own, comparison.removed), changed),
    reset[versions.apiVersion],
  )
  owners.delete(self)
  if (!isEmptySet(fields)) {
    owners.set(self, { fields, apiVersion: versions.apiVersion, applied: false })
  }
  return owners
}

/** The result of an apply; `object` is undefined when it changes nothing. */
interface AppliedChange {
  readonly object: JsonObject | undefined
  readonly owners: Owners
}

/**
 * Applies a configuration: merges it, removes the fields that it no longer has, and updates the
 * owners.
 */
export function ownAfterApply(
  change: OwnedChange & { readonly force: boolean },
  live: JsonObject,
  config: JsonObject,
): AppliedChange {
  const { versions, self, reset } = change
  const owners = followSchemas(live, change)
  const merged = explain('failed to merge config', () =>
    mergeValues(live, config, versions.schema.type),
  ) as JsonObject
  const last = owners.get(self)
  const fields = filterFields(
    fieldsOfValue(config, versions.schema.type),
    reset[versions.apiVersion],
  )
  owners.set(self, { fields, apiVersion: versions.apiVersion, applied: true })
  const pruned = explain('failed to prune fields', () =>
    last === undefined ? merged : prune(merged, last, { versions, owners }),
  )
  const outcome = transferOwnership({ ...change, owners }, live, pruned)
  const isSame = jsonEquals(live, pruned)
  return { object: isSame ? undefined : pruned, owners: outcome.owners }
}

interface PruneContext {
  readonly versions: KindVersions
  readonly owners: Owners
}

/**
 * Removes the fields that the manager applied last time and omits now, unless another manager owns
 * them. Fields without an owner are kept.
 */
function prune(merged: JsonObject, last: Ownership, context: PruneContext): JsonObject {
  if (isEmptySet(last.fields)) return merged
  const { versions } = context
  const inLastVersion = explain('failed to convert merged object to last applied version', () =>
    inVersion(merged, last.apiVersion, versions),
  )
  if (inLastVersion === undefined) return merged
  const { type } = inLastVersion.schema
  const lastFields = withDeclaredFields(last.fields, type)
  const removed = removeFields(inLastVersion.object, lastFields, type) as JsonObject
  const restored = restoreOwned(inLastVersion.object, removed, { ...context, last })
  const gone = differenceOf(
    withDeclaredFields(fieldsOfValue(inLastVersion.object, type), type),
    withDeclaredFields(fieldsOfValue(restored, type), type),
  )
  const pruned = removeFields(
    inLastVersion.object,
    intersectionOf(gone, lastFields),
    type,
  ) as JsonObject
  return inVersion(pruned, versions.apiVersion, versions)?.object ?? pruned
}

/** Restores the fields of all managers, including the applier with its new configuration. */
function restoreOwned(
  merged: JsonObject,
  removed: JsonObject,
  context: PruneContext & { readonly last: Ownership },
): JsonObject {
  const { versions, owners, last } = context
  const owned = new Map<string, FieldSet[]>([[last.apiVersion, []]])
  for (const { apiVersion, fields } of owners.values()) {
    const sets = owned.get(apiVersion) ?? []
    sets.push(fields)
    owned.set(apiVersion, sets)
  }
  let restored = removed
  // The version of the last apply comes first: other versions may need the fields that it restores.
  for (const [apiVersion, sets] of owned) {
    const fields = unionOfAll(sets)
    if (apiVersion === last.apiVersion && isEmptySet(fields)) continue
    const mergedInVersion = inVersion(merged, apiVersion, versions)
    const restoredInVersion = inVersion(restored, apiVersion, versions)
    if (mergedInVersion === undefined || restoredInVersion === undefined) continue
    const { type } = mergedInVersion.schema
    const kept = unionOf(
      withDeclaredFields(fieldsOfValue(restoredInVersion.object, type), type),
      withDeclaredFields(fields, type),
    )
    const all = withDeclaredFields(fieldsOfValue(mergedInVersion.object, type), type)
    restored = removeFields(mergedInVersion.object, differenceOf(all, kept), type) as JsonObject
  }
  return inVersion(restored, last.apiVersion, versions)?.object ?? merged
}
