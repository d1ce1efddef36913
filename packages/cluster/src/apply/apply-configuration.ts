import { isJsonObject, type JsonObject } from 'setpoint/schema'
import { badRequest, unexpectedError, type ApiError } from '../status/index.ts'
import type { ApplySchema } from './types/apply-type.ts'
import { assertType } from './types/check-type.ts'
import { conflictError, FieldConflicts } from './conflict-error.ts'
import { differenceOf, fieldSetOf, hasPath, isEmptySet } from './fields/field-set.ts'
import { fieldsOfLastApplied, withLastApplied } from './last-applied.ts'
import {
  managedFieldsOf,
  managerId,
  printManagedFields,
  parseManagedFields,
  withManagedFields,
  type ManagedFields,
} from './managed-fields.ts'
import { ownAfterApply } from './field-owners.ts'
import { dropNeverOwned, inOwnVersion, updateManagers, versionsOf } from './record-update.ts'
import type { WriteContext } from './record-update.ts'

/** A server-side apply. */
interface ApplyInput extends WriteContext {
  /** Undefined for a create. */
  readonly live: JsonObject | undefined
  readonly config: JsonObject
  /** The kind of the endpoint; without it the configuration's kind counts. */
  readonly kind?: string
  readonly force: boolean
}

/** The result of an apply. */
interface ApplyOutcome {
  /** The merged object with its managedFields, neither defaulted nor pruned yet. */
  readonly object: JsonObject
  /** False when the configuration changes at most the ownership of fields. */
  readonly changed: boolean
}

function textField(object: JsonObject, name: string): string {
  const value = Object.hasOwn(object, name) ? object[name] : undefined
  return typeof value === 'string' ? value : ''
}

function printKind(object: JsonObject): string {
  const apiVersion = textField(object, 'apiVersion')
  const groupVersion = apiVersion.includes('/') ? apiVersion : `/${apiVersion}`
  return `${groupVersion}, Kind=${textField(object, 'kind')}`
}

function describe(object: JsonObject): string {
  const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {}
  return `${textField(metadata, 'namespace')}/${textField(metadata, 'name')}; ${printKind(object)}`
}

/**
 * Applies a configuration to an object: merges it, removes fields that the manager applied before
 * and omits now, and updates managedFields. Throws an ApiError: 409 with the conflicts (unless
 * forced), 400 for a wrong kind or managedFields in the configuration, 500 for values that do not
 * match the schema.
 */
export function applyConfiguration(input: ApplyInput): ApplyOutcome {
  const { config, by } = input
  let managers: ManagedFields
  try {
    managers = parseManagedFields(managedFieldsOf(input.live))
  } catch (error) {
    throw unexpectedError(`failed to decode managed fields: ${(error as Error).message}`)
  }
  const kind = input.kind ?? textField(config, 'kind')
  if (textField(config, 'apiVersion') !== by.apiVersion || textField(config, 'kind') !== kind) {
    throw badRequest(`invalid object type: ${printKind(config)}`)
  }
  const live = inOwnVersion(input.live ?? { kind }, by.apiVersion)
  if (managers.owners.size === 0) managers = ownerOfExisting(input, managers, live)
  const outcome = applyUpgrading(input, managers, live)
  // Without changes the result is the live object with new managedFields.
  const merged = outcome.object ?? live
  const object = by.manager === 'kubectl' ? withLastApplied(merged, config) : merged
  return {
    object: withManagedFields(object, printManagedFields(outcome.managers)),
    changed: outcome.object !== undefined,
  }
}

/**
 * The error of a real server for an apply that changes the Scale of a custom resource: it merges,
 * and then cannot decode its own result. Thrown when such an apply has `changed`.
 */
export function customScaleRefusal(config: JsonObject): ApiError {
  return unexpectedError(
    `failed to convert new object (${describe(config)}) to proper version: request to convert CR to an invalid group/version: autoscaling/v1`,
  )
}

/** The error for an apply to the Scale of a custom resource whose replicas have no manager yet. */
export function unmanagedScaleRefusal(): ApiError {
  return unexpectedError(
    'failed to create manager for existing fields: failed to convert live object (/; autoscaling/v1, Kind=Scale) to proper version: request to convert CR to an invalid group/version: autoscaling/v1',
  )
}

/** The error for an apply whose merged object does not have the types of its kind. */
export function unconvertibleRefusal(config: JsonObject, problem: string): ApiError {
  return unexpectedError(
    `failed to convert new object (${describe(config)}) to proper version: unable to convert unstructured object to ${printKind(config)}: ${problem}`,
  )
}

/** 500 for a result that has no form in the internal version of its kind. */
export function unversionedRefusal(config: JsonObject, problem: string): ApiError {
  return unexpectedError(`failed to convert to unversioned (${describe(config)}): ${problem}`)
}

/**
 * The fields of an object without managedFields get an owner, so that an apply can conflict with
 * it.
 */
function ownerOfExisting(
  input: ApplyInput,
  managers: ManagedFields,
  live: JsonObject,
): ManagedFields {
  const by = { ...input.by, manager: 'before-first-apply' }
  const before = { ...input.schema.empty, apiVersion: by.apiVersion, kind: live['kind'] ?? '' }
  if (input.live === undefined) return managers
  try {
    assertTyped(live, input.schema)
    return updateManagers({ ...input, by }, managers, { before, after: live })
  } catch (error) {
    throw unexpectedError(
      `failed to create manager for existing fields: ${(error as Error).message}`,
    )
  }
}

function assertTyped(live: JsonObject, { type }: ApplySchema): void {
  try {
    assertType(live, type, { allowDuplicates: true })
  } catch (error) {
    const why = (error as Error).message
    throw new Error(`failed to convert new object (${describe(live)}) to smd typed: ${why}`, {
      cause: error,
    })
  }
}

interface Applied {
  readonly object: JsonObject | undefined
  readonly managers: ManagedFields
}

/** Applies. For kubectl, fields of an earlier client-side apply cause no conflicts. */
function applyUpgrading(input: ApplyInput, managers: ManagedFields, live: JsonObject): Applied {
  try {
    return applyOnce(input, managers, live)
  } catch (error) {
    if (!(error instanceof FieldConflicts)) throw error
    const allowed =
      input.by.manager === 'kubectl'
        ? fieldsOfLastApplied(live, input.schema, input.by.apiVersion)
        : undefined
    if (allowed === undefined) throw conflictError(error.paths)
    const all = fieldSetOf(error.paths.map(({ path }) => path))
    if (!isEmptySet(differenceOf(all, allowed))) {
      throw conflictError(error.paths.filter(({ path }) => !hasPath(allowed, path)))
    }
    return applyOnce({ ...input, force: true }, managers, live)
  }
}

function applyOnce(input: ApplyInput, managers: ManagedFields, live: JsonObject): Applied {
  const { config, schema, by, force, reset } = input
  if (Array.isArray(managedFieldsOf(config))) {
    throw badRequest('metadata.managedFields must be nil')
  }
  const check = (what: string, object: JsonObject, allowDuplicates: boolean) => {
    try {
      assertType(object, schema.type, { allowDuplicates })
    } catch (error) {
      const message = (error as Error).message
      throw unexpectedError(
        `failed to create typed ${what} object (${describe(object)}): ${message}`,
      )
    }
  }
  check('patch', config, false)
  check('live', live, true)
  const { subresource, apiVersion } = by
  const self = managerId({ manager: by.manager, operation: 'Apply', apiVersion, subresource })
  const change = { versions: versionsOf(input), owners: managers.owners, self, reset, force }
  const { object, owners } = refusing(() => ownAfterApply(change, live, config))
  dropNeverOwned(owners, self)
  const times = new Map(managers.times)
  if (object !== undefined) times.set(self, by.timeSeconds)
  return { object, managers: { owners, times } }
}

function refusing<T>(action: () => T): T {
  try {
    return action()
  } catch (error) {
    if (error instanceof FieldConflicts) throw error
    throw unexpectedError((error as Error).message)
  }
}
