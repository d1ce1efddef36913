/**
 * Converts a zod schema into a structural schema. It walks zod's core definitions (shared by
 * classic and mini) instead of repairing the output of `z.toJSONSchema`, because only here the path
 * of a field, the intent and the alternative are known together (docs/decisions/0004).
 */
import * as core from 'zod/v4/core'
import type { JsonValue, StructuralSchema } from '../../schema/index.ts'
import { applyDefaults } from '../../schema/index.ts'
import { withAnnotations } from './annotated-schema.ts'
import { jsonEquals } from '../../schema/index.ts'
import { asNullable } from './nullable-schema.ts'
import { plainJson } from '../plain-json.ts'
import type { Problem } from '../options/problem.ts'
import { checksOf, rejectCheck, rejectCoercion } from './zod-checks.ts'
import {
  convertArray,
  convertIntersection,
  convertObject,
  convertRecord,
} from './zod-composites.ts'
import { convertEnum, convertLiteral } from './zod-enums.ts'
import { convertNumber } from './zod-numbers.ts'
import { isOptional, reject, type Place } from './zod-place.ts'
import { convertString } from './zod-strings.ts'
import { convertUnion } from './zod-unions.ts'

/** A converted schema, whether the field may be absent, and the problems. */
export interface Conversion {
  readonly schema: StructuralSchema
  readonly isOptional: boolean
  readonly problems: readonly Problem[]
}

/** Converts the schema of one field of a resource; `path` is its place, such as `.spec`. */
export function zodToSchema(schema: core.$ZodType, path: string): Conversion {
  const problems: Problem[] = []
  const place: Place = { path, problems, ancestors: [], isCorrelatable: true, convert }
  return { schema: convert(schema, place), isOptional: isOptional(schema), problems }
}

/** Converts a schema with its wrappers: optional, default, nullable, documentation. */
function convert(schema: core.$ZodType, place: Place): StructuralSchema {
  if (place.ancestors.includes(schema)) {
    return reject(
      place,
      'the schema contains itself, and a CRD cannot be recursive',
      'nest a fixed number of levels, or use preserveUnknownFields() from here on',
    )
  }
  const inside: Place = { ...place, ancestors: [...place.ancestors, schema] }
  if (!typesWithKeywords.has(schema._zod.def.type)) {
    for (const check of checksOf(schema)) rejectCheck(check, place)
  }
  const converted = convertType(schema as core.$ZodTypes, inside)
  return withAnnotations(schema, { ...converted, ...documentationOf(schema) }, place)
}

/** The types whose checks partly have keywords; they handle their checks themselves. */
const typesWithKeywords: ReadonlySet<string> = new Set([
  'array',
  'number',
  'string',
  'template_literal',
])

function convertType(schema: core.$ZodTypes, place: Place): StructuralSchema {
  const def = schema._zod.def
  switch (def.type) {
    case 'string':
      return convertString(schema as core.$ZodString, place)
    case 'number':
      return convertNumber(schema as core.$ZodNumber, place)
    case 'boolean':
      return def.coerce === true ? rejectCoercion(place) : { type: 'boolean' }
    case 'enum':
      return convertEnum(schema as core.$ZodEnum, place)
    case 'literal':
      return convertLiteral(schema as core.$ZodLiteral, place)
    case 'template_literal':
      return convertString(schema as core.$ZodTemplateLiteral, place)
    case 'object':
      return convertObject(schema as core.$ZodObject, place)
    case 'record':
      return convertRecord(schema as core.$ZodRecord, place)
    case 'array':
      return convertArray(schema as core.$ZodArray, place)
    case 'union':
      return convertUnion(schema as core.$ZodUnion, place)
    case 'intersection':
      return convertIntersection(schema as core.$ZodIntersection, place)
    case 'any':
    case 'unknown':
      return { 'x-kubernetes-preserve-unknown-fields': true, nullable: true }
    case 'optional':
    case 'readonly':
      return convert(def.innerType, place)
    case 'nonoptional':
      return withoutDefault(convert(def.innerType, place))
    case 'nullable':
      return asNullable(convert(def.innerType, place), place)
    case 'default':
    case 'prefault':
      return convertDefault(schema as core.$ZodDefault | core.$ZodPrefault, place)
    case 'lazy':
      return convert(def.getter(), place)
    default:
      return rejectType(def, place)
  }
}

function withoutDefault({ default: _default, ...schema }: StructuralSchema): StructuralSchema {
  return schema
}

function convertDefault(
  schema: core.$ZodDefault | core.$ZodPrefault,
  place: Place,
): StructuralSchema {
  const { innerType, type } = schema._zod.def
  const inner = convert(innerType, place)
  const value = plainJson(schema._zod.def.defaultValue) as JsonValue | undefined
  if (value === undefined) return inner
  if (value === null) {
    return reject(place, 'a server drops a default of null', 'make the field optional')
  }
  if (!jsonEquals(value, plainJson(schema._zod.def.defaultValue))) {
    return reject(
      place,
      'the default differs each time, and a CRD can only have a constant',
      'make it optional and set it in the operator',
    )
  }
  const result = core.safeParse(innerType, value)
  if (!result.success) {
    const message = result.error.issues[0]?.message ?? 'invalid'
    return reject(place, `the default ${JSON.stringify(value)} does not fit: ${message}`)
  }
  // zod's default() skips the schema, while a server descends into the default that it has set.
  if (type === 'default' && !jsonEquals(applyDefaults(inner, value), value)) {
    return reject(
      place,
      'the default omits fields that have their own defaults, which a server would add',
      'write .prefault(...) instead of .default(...)',
    )
  }
  return { ...inner, default: value }
}

function documentationOf(schema: core.$ZodType): StructuralSchema {
  const meta = core.globalRegistry.get(schema)
  const example = meta?.['example'] ?? (meta?.['examples'] as unknown[] | undefined)?.[0]
  return {
    ...(typeof meta?.title === 'string' ? { title: meta.title } : {}),
    ...(typeof meta?.description === 'string' ? { description: meta.description } : {}),
    ...(example === undefined ? {} : { example: example as JsonValue }),
  }
}

/** The alternatives for types that JSON does not have. */
const replacements: Record<string, readonly [reason: string, instead: string]> = {
  bigint: ['JSON numbers are not bigints', 'write z.int(), or z.string() for larger numbers'],
  catch: ['a server refuses an invalid value, it does not replace it', 'write .default(...)'],
  custom: ['an API server cannot run JavaScript', 'describe the type with zod and add rule(...)'],
  date: ['JSON has no dates', 'write z.iso.datetime()'],
  file: ['JSON has no files', 'write z.base64() or refer to a ConfigMap'],
  function: ['JSON has no functions', 'move it out of the resource'],
  map: ['JSON has no Map', 'write z.record(z.string(), ...)'],
  nan: ['JSON has no NaN', 'remove the field'],
  never: ['no value would be valid', 'remove the field'],
  null: [
    'a field that can only be null carries no information',
    'use .nullable() on the real type',
  ],
  pipe: [
    'a server stores values as written and transforms nothing',
    'describe the written form here and transform it in the operator',
  ],
  promise: ['JSON has no promises', 'move it out of the resource'],
  set: ['JSON has no Set', 'write z.array(...).check(listSet())'],
  success: ['a server stores values as written and transforms nothing', 'write z.boolean()'],
  symbol: ['JSON has no symbols', 'write z.enum([...])'],
  transform: [
    'a server stores values as written and transforms nothing',
    'describe the written form here and transform it in the operator',
  ],
  tuple: [
    'the items of a CRD list all have one type',
    'write an object with named fields, or z.array(...)',
  ],
  undefined: ['JSON has no undefined', 'remove the field'],
  void: ['JSON has no undefined', 'remove the field'],
}

function rejectType(def: { readonly type: string }, place: Place): StructuralSchema {
  const [reason, instead] = replacements[def.type] ?? [
    'Setpoint does not support this zod type',
    'use one of the types listed in docs/reference/definition.md',
  ]
  return reject(place, `a CRD cannot express z.${def.type}: ${reason}`, instead)
}
