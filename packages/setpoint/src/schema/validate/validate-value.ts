/** The whole validation of a value: keywords, then embedded objects, then unique items. */
import { embeddedProblems } from '../embedded-resource.ts'
import type { FieldError } from '../field-error.ts'
import { repeatedItems } from './list-uniqueness.ts'
import { ValueValidation } from './value-validation.ts'
import type { JsonValue, StructuralSchema } from '../structural-schema.ts'
import { schemaWithoutNulls } from '../without-nulls.ts'

/**
 * Validates a pruned and defaulted value and returns the server's error list, empty when it is
 * valid. `path` is a prefix of the field of every error, as a server does for the status
 * subresource (`status`); the messages start at the value's own root. CEL rules are not evaluated
 * here.
 *
 * Numbers are JavaScript's: integers above 2^53 have lost precision before they get here. A schema
 * is prepared on its first use and cached by its identity: do not change a schema afterwards, make
 * a new one.
 */
export function validateValue(
  given: StructuralSchema,
  value: JsonValue,
  path?: string,
): FieldError[] {
  const schema = schemaWithoutNulls(given)
  const validation = new ValueValidation({ prefix: path, isForDefaults: false })
  validation.check(schema, value, '')
  const errors = validation.issues.map((issue) => issue.error)
  return [...errors, ...structureErrors(schema, value, path)]
}

/**
 * The part of `validateValue` that is not about keywords: embedded objects and unique items. A
 * server checks it even if the kind of the object is wrong.
 */
export function validateStructure(given: StructuralSchema, value: JsonValue): FieldError[] {
  return structureErrors(schemaWithoutNulls(given), value, undefined)
}

function structureErrors(
  schema: StructuralSchema,
  value: JsonValue,
  path: string | undefined,
): FieldError[] {
  const { isEmbedding, hasUniqueItems } = featuresOf(schema)
  return [
    ...(isEmbedding ? embeddedProblems(schema, value, path ?? '') : []),
    ...(hasUniqueItems ? repeatedItems(schema, value, path ?? '') : []),
  ]
}

interface Features {
  readonly isEmbedding: boolean
  readonly hasUniqueItems: boolean
}

const knownFeatures = new WeakMap<StructuralSchema, Features>()

/** Whether the two rarer passes over the value are needed; computed once per schema. */
function featuresOf(schema: StructuralSchema): Features {
  let features = knownFeatures.get(schema)
  if (features === undefined) {
    features = findFeatures(schema)
    knownFeatures.set(schema, features)
  }
  return features
}

function findFeatures(schema: StructuralSchema): Features {
  const listType = schema['x-kubernetes-list-type']
  const children = Object.values(schema.properties ?? {})
  if (schema.items !== undefined) children.push(schema.items)
  if (typeof schema.additionalProperties === 'object') children.push(schema.additionalProperties)
  const below = children.map(featuresOf)
  return {
    isEmbedding:
      schema['x-kubernetes-embedded-resource'] === true || below.some((child) => child.isEmbedding),
    hasUniqueItems:
      listType === 'set' || listType === 'map' || below.some((child) => child.hasUniqueItems),
  }
}
