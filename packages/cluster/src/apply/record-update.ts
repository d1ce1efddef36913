import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import type { ApplySchema } from './types/apply-type.ts'
import { assertType } from './types/check-type.ts'
import { capManagers } from './cap-managers.ts'
import { differenceOf, fieldSetOf, isEmptySet, unionOf } from './fields/field-set.ts'
import {
  managedFieldsOf,
  managerId,
  noManagedFields,
  printManagedFields,
  parseManagedFields,
  withManagedFields,
  type ManagedFields,
  type Ownership,
} from './managed-fields.ts'
import { ownAfterUpdate, type KindVersions } from './field-owners.ts'
import { fieldElement } from './fields/path-element.ts'
import type { ResetFields } from './fields/reset-fields.ts'

/** The writer of a change, as managedFields records it. */
interface ManagerIdentity {
  readonly manager: string
  /** The version of the request, in which the objects are given. */
  readonly apiVersion: string
  /** Empty for the main endpoint. */
  readonly subresource: string
  /** RFC 3339 in seconds: the time of entries that this write changes. */
  readonly timeSeconds: string
}

/** The input of both applies and other writes. */
export interface WriteContext {
  readonly schema: ApplySchema
  /** The schemas of the other versions of the kind; undefined for versions that do not exist. */
  readonly schemaOfVersion: (apiVersion: string) => ApplySchema | undefined
  /** Only for kinds whose versions differ in more than their name. */
  readonly convert?: (object: JsonObject, apiVersion: string) => JsonObject
  readonly by: ManagerIdentity
  readonly reset: ResetFields
}

/** A write other than an apply: POST, PUT and the other patches. */
interface UpdateInput extends WriteContext {
  /** Undefined for a create. */
  readonly live: JsonObject | undefined
  readonly updated: JsonObject
}

/** The versions of the kind, as ownership needs them. */
export function versionsOf(context: WriteContext): KindVersions {
  const { schema, schemaOfVersion, convert, by } = context
  return { apiVersion: by.apiVersion, schema, schemaOfVersion, convert }
}

/** The object with the given apiVersion. */
export function inOwnVersion(object: JsonObject, apiVersion: string): JsonObject {
  return object['apiVersion'] === apiVersion ? object : { ...object, apiVersion }
}

/** Fields that identify an object or that the server sets: they have no owners. */
const neverOwned = fieldSetOf(
  [
    ['apiVersion'],
    ['kind'],
    ['metadata'],
    ['metadata', 'name'],
    ['metadata', 'namespace'],
    ['metadata', 'creationTimestamp'],
    ['metadata', 'selfLink'],
    ['metadata', 'uid'],
    ['metadata', 'clusterName'],
    ['metadata', 'generation'],
    ['metadata', 'managedFields'],
    ['metadata', 'resourceVersion'],
  ].map((path) => path.map(fieldElement)),
)

/** Removes identifying fields from a manager, and the manager when it owns no other fields. */
export function dropNeverOwned(owners: Map<string, Ownership>, id: string): void {
  const owner = owners.get(id)
  if (owner === undefined) return
  const fields = differenceOf(owner.fields, neverOwned)
  if (isEmptySet(fields)) owners.delete(id)
  else owners.set(id, { ...owner, fields })
}

/**
 * Returns `updated` with its `managedFields`: the writer owns the fields that it changed, other
 * managers lose them. It never refuses: when the managedFields are invalid, the object continues
 * without them.
 */
export function recordUpdate(input: UpdateInput): JsonObject {
  const { live, updated, by } = input
  const bare = withManagedFields(updated, undefined)
  try {
    const managers = managersBefore(input)
    const isCreate = live === undefined || uidOf(live) === ''
    if (managers.owners.size === 0 && !isCreate) return bare
    const before = live ?? { ...input.schema.empty, kind: updated['kind'] ?? '' }
    const next = updateManagers(input, managers, {
      before: inOwnVersion(before, by.apiVersion),
      after: inOwnVersion(bare, by.apiVersion),
    })
    return withManagedFields(updated, printManagedFields(next))
  } catch {
    return bare
  }
}

function uidOf(object: JsonObject): string {
  const metadata = object['metadata']
  const uid = isJsonObject(metadata) ? metadata['uid'] : undefined
  return typeof uid === 'string' ? uid : ''
}

/** Updates the owners after a write; also gives owners to the fields of an unmanaged object. */
export function updateManagers(
  context: WriteContext,
  managers: ManagedFields,
  { before, after }: { readonly before: JsonObject; readonly after: JsonObject },
): ManagedFields {
  const { by, schema, reset } = context
  assertType(after, schema.type, { allowDuplicates: true })
  assertType(before, schema.type, { allowDuplicates: true })
  // A separate name first, to separate what this write changed from what the manager already owns.
  const self = 'current-operation'
  const change = { versions: versionsOf(context), owners: managers.owners, self, reset }
  const owners = ownAfterUpdate(change, before, after)
  dropNeverOwned(owners, self)
  const times = new Map(managers.times)
  const changed = owners.get(self)
  if (changed !== undefined) {
    const { apiVersion, subresource } = by
    const manager = by.manager === '' ? 'unknown' : by.manager
    const id = managerId({ manager, operation: 'Update', apiVersion, subresource })
    const previous = owners.get(id)
    owners.delete(self)
    owners.set(
      id,
      previous === undefined
        ? changed
        : { ...changed, fields: unionOf(changed.fields, previous.fields) },
    )
    times.set(id, by.timeSeconds)
  }
  const next = { owners, times }
  capManagers(next)
  return next
}

/** The owners before the write: clients of the main endpoint can edit or reset managedFields. */
function managersBefore({ live, updated, by, schema }: UpdateInput): ManagedFields {
  if (by.subresource === '') {
    const sent = managedFieldsOf(updated)
    if (isReset(sent, schema)) return noManagedFields()
    const managers = readOrNone(sent)
    if (managers.owners.size > 0) return managers
  }
  return readOrNone(managedFieldsOf(live))
}

function readOrNone(managedFields: JsonValue | undefined): ManagedFields {
  try {
    return parseManagedFields(managedFields)
  } catch {
    return noManagedFields()
  }
}

function isReset(managedFields: JsonValue | undefined, schema: ApplySchema): boolean {
  if (!Array.isArray(managedFields)) return false
  // For a custom resource, an empty list counts as missing.
  if (managedFields.length === 0) return !schema.isCustom
  const [only] = managedFields
  if (managedFields.length > 1 || !isJsonObject(only)) return false
  return Object.values(only).every((value) => value === null || value === '')
}
