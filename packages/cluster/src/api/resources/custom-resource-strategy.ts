import { validateRules } from 'setpoint/cel'
import {
  applyDefaults,
  fieldError,
  isJsonObject,
  jsonEquals,
  pruneUnknown,
  validateStructure,
  validateValue,
  type FieldError,
  type JsonObject,
  type JsonValue,
  type StructuralSchema,
} from 'setpoint/schema'
import { decodeObjectMeta, TypedDecodeError } from '../../codec/index.ts'
import { metadataOf, nextGeneration } from '../../object/index.ts'
import {
  finalizerWarnings,
  nameRules,
  nameRuleOf,
  validateObjectMeta,
  validateObjectMetaUpdate,
  type NameRule,
} from '../../validation/index.ts'
import type { CustomVersions } from '../conversion/custom-versions.ts'
import { jsonKind } from '../json-kind.ts'
import { coerceEmbedded } from './embedded-metadata.ts'
import { withoutOldErrors } from './ratchet.ts'
import { blockingTypes, hasRules, rulesNotChecked } from './validation-rules.ts'
import { scaleErrors } from './scale-errors.ts'
import type {
  DecodedObject,
  DecodeOptions,
  DefaultingOptions,
  ObjectUpdate,
  ResourceStrategy,
  WarnedObject,
  ScalePaths,
} from './served-resource.ts'

/** The parts of one version of a custom resource. */
interface CustomVersion {
  readonly group: string
  readonly plural: string
  readonly namespaced: boolean
  readonly apiVersion: string
  readonly kind: string
  readonly schema: StructuralSchema
  readonly versions: CustomVersions
  readonly hasStatus: boolean
  readonly scale: ScalePaths | undefined
}

/** The rules that unchanged values of an object break, by the object. */
const toleratedRules = new WeakMap<JsonObject, readonly string[]>()

/** The strategy of a custom resource, derived from its schema. */
export class CustomResourceStrategy implements ResourceStrategy {
  readonly #version: CustomVersion

  constructor(version: CustomVersion) {
    this.#version = version
  }

  decode(value: JsonObject, options?: DecodeOptions): DecodedObject {
    const given = value['metadata']
    if (given !== undefined && given !== null && !isJsonObject(given)) throw notMetadata(given)
    const { creationTimestamp, ...others } = isJsonObject(given) ? given : {}
    // An applied time may have any form, because the server sets its own.
    const isKept = options?.isConverted !== true && creationTimestamp !== undefined
    const { metadata, unknownFields } = decodeObjectMeta(
      isKept ? { creationTimestamp, ...others } : others,
    )
    // The result of an apply is pruned when it is stored, other kinds are refused by validation.
    if (options?.isConverted === true || !this.#isOwnKind(value)) {
      return { object: { ...value, metadata }, unknownFields }
    }
    const pruned = pruneUnknown(this.#version.schema, value, { isResourceRoot: true })
    const embedded = coerceEmbedded(this.#version.schema, pruned.value)
    return {
      object: { ...(embedded.value as JsonObject), metadata },
      unknownFields: [...unknownFields, ...pruned.prunedPaths, ...embedded.unknownFields],
    }
  }

  pruned(object: JsonObject): JsonObject {
    const { value } = pruneUnknown(this.#version.schema, object, { isResourceRoot: true })
    const embedded = coerceEmbedded(this.#version.schema, value)
    // Defaults drop the nulls that an apply has kept until now.
    const read = applyDefaults(this.#version.schema, embedded.value) as JsonObject
    return { ...read, metadata: object['metadata'] ?? {} }
  }

  #isOwnKind({ kind, apiVersion }: JsonObject): boolean {
    const { group, kind: own } = this.#version
    return kind === own && typeof apiVersion === 'string' && apiVersion.split('/')[0] === group
  }

  applyDefaults(object: JsonObject, options?: DefaultingOptions): JsonObject {
    return applyDefaults(this.#version.schema, object, options) as JsonObject
  }

  prepareForCreate(object: JsonObject): void {
    if (this.#version.hasStatus) Reflect.deleteProperty(object, 'status')
    metadataOf(object).generation = 1
  }

  prepareForUpdate({ object, old, subresource }: ObjectUpdate): void {
    if (subresource === 'status') keepAllButStatus(object, old)
    else if (this.#version.hasStatus) keepField(object, old, 'status')
    if (this.#hasNewGeneration(object, old)) {
      metadataOf(object).generation = nextGeneration(metadataOf(old).generation)
    }
  }

  validateCreate(object: JsonObject): FieldError[] {
    const { group, plural, schema } = this.#version
    const mistyped = this.#typeErrors(object)
    if (mistyped.length > 0) {
      return this.#withRules([...mistyped, ...validateStructure(schema, object)], { object })
    }
    const metaErrors = this.#metaErrors(object, nameRuleOf(group, plural))
    return this.#withFollowing([...metaErrors, ...validateValue(schema, object)], { object })
  }

  validateUpdate({ object, old, subresource }: ObjectUpdate): FieldError[] {
    const { schema } = this.#version
    const changes = validateObjectMetaUpdate(
      metadataOf(object) as JsonObject,
      metadataOf(old) as JsonObject,
    )
    const common = [...this.#metaErrors(object, nameRules.pathSegment), ...changes]
    const mistyped = this.#typeErrors(object)
    if (mistyped.length > 0) {
      const structure = subresource === 'status' ? [] : validateStructure(schema, object)
      const kept = withoutOldErrors(structure, { object, old, schema })
      return this.#withRules([...common, ...mistyped, ...kept], { object, old })
    }
    const found =
      subresource === 'status' ? statusErrors(schema, object, old) : validateValue(schema, object)
    // Two validations of a real server find the changes, and it reports both.
    const errors = [...common, ...changes, ...withoutOldErrors(found, { object, old, schema })]
    return this.#withFollowing(errors, { object, old, subresource })
  }

  toleratedProblems(object: JsonObject): readonly string[] {
    return toleratedRules.get(object) ?? []
  }

  warnings({ object, old }: WarnedObject): string[] {
    return finalizerWarnings(metadataOf(object) as JsonObject, metadataOf(old ?? {}) as JsonObject)
  }

  /**
   * Fields that the stored version does not have are dropped, even when they were written in
   * another version.
   */
  toStorage(object: JsonObject): JsonObject {
    const { versions } = this.#version
    // Objects are stored with the defaults that a read would apply, so that reads do not have to.
    return versions.decodeStored({ ...object, apiVersion: versions.storageApiVersion })
  }

  /**
   * Applies the defaults of the version that was stored, then prunes to the requested version.
   */
  fromStorage(object: JsonObject): JsonObject {
    const { versions, apiVersion } = this.#version
    return versions.renamed(versions.decodeStored(object), apiVersion)
  }

  /**
   * Appends what follows the schema's errors: errors of the scale fields, and those of CEL rules,
   * which are skipped if the value has a wrong type.
   */
  #withFollowing(
    errors: readonly FieldError[],
    { object, old, subresource = '' }: WarnedObject,
  ): FieldError[] {
    const { scale } = this.#version
    const all = [...errors, ...(scale === undefined ? [] : scaleErrors(object, scale, subresource))]
    return this.#withRules(all, { object, old })
  }

  #withRules(
    all: readonly FieldError[],
    { object, old }: { object: JsonObject; old?: JsonObject | undefined },
  ): FieldError[] {
    const { schema } = this.#version
    if (!hasRules(schema)) return [...all]
    if (all.some(({ type }) => blockingTypes.has(type))) return [...all, rulesNotChecked]
    const result = validateRules(schema, object, old === undefined ? {} : { oldObject: old })
    if (result.warnings.length > 0) toleratedRules.set(object, result.warnings)
    return [...all, ...result.errors]
  }

  #metaErrors(object: JsonObject, nameRule: NameRule): FieldError[] {
    const { namespaced } = this.#version
    return validateObjectMeta(metadataOf(object) as JsonObject, { namespaced, nameRule })
  }

  /** Objects keep the kind and the apiVersion that they were sent with until validation. */
  #typeErrors({ kind, apiVersion }: JsonObject): FieldError[] {
    const expected = this.#version
    const errors: FieldError[] = []
    if (kind !== expected.kind) {
      errors.push(fieldError.invalid('kind', kind ?? '', `must be ${expected.kind}`))
    }
    if (apiVersion !== expected.apiVersion) {
      errors.push(
        fieldError.invalid('apiVersion', apiVersion ?? '', `must be ${expected.apiVersion}`),
      )
    }
    return errors
  }

  /**
   * The generation counts changes of the spec: not of metadata, and not of a status subresource.
   */
  #hasNewGeneration(object: JsonObject, old: JsonObject): boolean {
    const ignored = new Set(['metadata', 'apiVersion', 'kind'])
    if (this.#version.hasStatus) ignored.add('status')
    const names = new Set([...Object.keys(object), ...Object.keys(old)])
    return [...names].some((name) => !ignored.has(name) && !jsonEquals(object[name], old[name]))
  }
}

/**
 * Writes of the status are validated by the schema of the status; the paths of errors start there.
 */
function statusErrors(schema: StructuralSchema, object: JsonObject, old: JsonObject): FieldError[] {
  const statusSchema = schema.properties?.['status']
  const status = object['status']
  if (statusSchema === undefined || status === undefined) return []
  if (jsonEquals(status, old['status'] ?? null)) return []
  return validateValue(statusSchema, status, 'status')
}

function keepAllButStatus(object: JsonObject, old: JsonObject): void {
  const { managedFields } = metadataOf(object)
  const { status } = object
  for (const name of Object.keys(object)) Reflect.deleteProperty(object, name)
  const { status: _status, ...rest } = old
  Object.assign(object, rest, {
    metadata: { ...metadataOf(old), ...(managedFields === undefined ? {} : { managedFields }) },
    ...(status === undefined ? {} : { status }),
  })
  if (managedFields === undefined) delete metadataOf(object).managedFields
}

function keepField(object: JsonObject, old: JsonObject, name: string): void {
  const value = old[name]
  if (value === undefined) Reflect.deleteProperty(object, name)
  else object[name] = value
}

function notMetadata(given: JsonValue): TypedDecodeError {
  const why = `json: cannot unmarshal ${jsonKind(given)} into Go value of type v1.ObjectMeta`
  return new TypedDecodeError(why)
}
