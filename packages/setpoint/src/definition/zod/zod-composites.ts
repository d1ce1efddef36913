/** Objects, records, lists and intersections. */
import type * as core from 'zod/v4/core'
import type { StructuralSchema } from '../../schema/index.ts'
import { jsonEquals } from '../../schema/index.ts'
import { immutableFieldRules } from './annotated-schema.ts'
import { annotationsOf } from '../kubernetes-checks.ts'
import { checksOf, rejectCheck, wholeLength } from './zod-checks.ts'
import { isOptional, reject, type Place } from './zod-place.ts'

export function convertObject(schema: core.$ZodObject, place: Place): StructuralSchema {
  const { shape, catchall } = schema._zod.def
  const catchallType = catchall?._zod.def.type
  if (catchallType !== undefined && !['never', 'unknown', 'any'].includes(catchallType)) {
    return reject(
      place,
      'a CRD cannot have named fields and a schema for other fields together',
      'move the other fields into a separate field, as z.record(z.string(), ...)',
    )
  }
  if (Object.getOwnPropertySymbols(shape).length > 0) {
    return reject(place, 'JSON has no symbol keys', 'use strings')
  }
  const isOpen = catchallType === 'unknown' || catchallType === 'any'
  return {
    ...fieldsSchema(shape, place),
    ...(isOpen ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
  }
}

/**
 * An object schema with these fields; fields without a default that are not optional are required.
 */
function fieldsSchema(
  shape: Readonly<Record<string, core.$ZodType>>,
  place: Place,
): StructuralSchema {
  const entries = Object.entries(shape)
  const properties = Object.fromEntries(
    entries.map(([name, field]) => [
      name,
      place.convert(field, { ...place, path: `${place.path}.${name}` }),
    ]),
  )
  const required = entries.filter(([, field]) => !isOptional(field)).map(([name]) => name)
  const rules = immutableFieldRules(shape, place)
  return {
    type: 'object',
    ...(entries.length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
    ...(rules.length === 0 ? {} : { 'x-kubernetes-validations': rules }),
  }
}

export function convertRecord(schema: core.$ZodRecord, place: Place): StructuralSchema {
  const def = schema._zod.def
  const { keyType, valueType: value } = def
  const keys = [...(keyType._zod.values ?? [])]
  if (keys.length > 0 && keys.every((key) => typeof key === 'string')) {
    // Named keys are fields: this keeps the set of keys, which additionalProperties would lose.
    const fields = fieldsSchema(Object.fromEntries(keys.map((name) => [name, value])), place)
    const { required: _required, ...optionalFields } = fields
    return 'partial' in def && def.partial === true ? optionalFields : fields
  }
  if (keyType._zod.def.type !== 'string' || checksOf(keyType).length > 0) {
    return reject(
      place,
      'a CRD cannot restrict the keys of a map',
      "use z.record(z.string(), ...) with .check(rule('self.all(key, ...)'))",
    )
  }
  const values = place.convert(value, { ...place, path: `${place.path}.*` })
  rejectAbsence(value, values, { ...place, path: `${place.path}.*` })
  return { type: 'object', additionalProperties: values }
}

export function convertArray(schema: core.$ZodArray, place: Place): StructuralSchema {
  const minItems: number[] = []
  const maxItems: number[] = []
  for (const check of checksOf(schema)) {
    const { def } = check._zod
    if (def.check === 'min_length') minItems.push(wholeLength(def.minimum, place))
    else if (def.check === 'max_length') maxItems.push(wholeLength(def.maximum, place))
    else if (def.check === 'length_equals') {
      minItems.push(wholeLength(def.length, place))
      maxItems.push(wholeLength(def.length, place))
    } else rejectCheck(check, place)
  }
  const isMap = annotationsOf(schema).some((annotation) => annotation.kind === 'list-map')
  const { element } = schema._zod.def
  const itemPlace = {
    ...place,
    path: `${place.path}[*]`,
    isCorrelatable: place.isCorrelatable && isMap,
  }
  const items = place.convert(element, itemPlace)
  rejectAbsence(element, items, itemPlace)
  return {
    type: 'array',
    items,
    ...(minItems.length === 0 ? {} : { minItems: Math.max(...minItems) }),
    ...(maxItems.length === 0 ? {} : { maxItems: Math.min(...maxItems) }),
  }
}

/** A list or map has no absent entries, so a default for them would never apply. */
function rejectAbsence(schema: core.$ZodType, converted: StructuralSchema, place: Place): void {
  if (isOptional(schema) && converted.default !== undefined) {
    reject(
      place,
      'an entry is never absent, so its default would never apply',
      'remove the default',
    )
  }
}

const logicKeywords = ['allOf', 'anyOf', 'oneOf', 'not', 'additionalProperties'] as const

export function convertIntersection(schema: core.$ZodIntersection, place: Place): StructuralSchema {
  const left = place.convert(schema._zod.def.left, place)
  const right = place.convert(schema._zod.def.right, place)
  const clash = Object.keys(left.properties ?? {}).find(
    (name) =>
      right.properties?.[name] !== undefined &&
      !jsonEquals(left.properties?.[name], right.properties[name]),
  )
  const hasLogic = [left, right].some((side) => logicKeywords.some((keyword) => keyword in side))
  if (left.type !== 'object' || right.type !== 'object' || clash !== undefined || hasLogic) {
    return reject(
      place,
      clash === undefined
        ? 'only plain objects can be merged into one CRD schema'
        : `the two sides describe the field "${clash}" differently`,
      'write one object, for example with .extend(...)',
    )
  }
  const required = [...new Set([...(left.required ?? []), ...(right.required ?? [])])]
  const rules = [
    ...(left['x-kubernetes-validations'] ?? []),
    ...(right['x-kubernetes-validations'] ?? []),
  ]
  return {
    ...left,
    ...right,
    properties: { ...left.properties, ...right.properties },
    ...(required.length === 0 ? {} : { required }),
    ...(rules.length === 0 ? {} : { 'x-kubernetes-validations': rules }),
  }
}
