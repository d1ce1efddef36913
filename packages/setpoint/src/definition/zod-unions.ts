/**
 * Unions. A structural schema has one type per field, so a union is only representable when its
 * members share a type, are a whole number and a text, or are objects told apart by a field.
 */
import type * as core from 'zod/v4/core'
import type { StructuralSchema } from '../schema/index.ts'
import { asNullable } from './nullable-schema.ts'
import { hoistBranches } from './discriminated-union.ts'
import { fixedValues } from './zod-enums.ts'
import { reject, type Place } from './zod-place.ts'

export function convertUnion(schema: core.$ZodUnion, place: Place): StructuralSchema {
  const { options, inclusive } = schema._zod.def
  const members = options.filter(
    (option) => !isNull(option) && option._zod.def.type !== 'undefined',
  )
  const converted = convertMembers(schema, members, place)
  return members.length < options.length && options.some(isNull)
    ? asNullable(converted, place)
    : inclusive === false && converted.anyOf !== undefined
      ? exactlyOne(converted)
      : converted
}

function isNull(schema: core.$ZodType): boolean {
  const def = schema._zod.def as core.$ZodTypes['_zod']['def']
  return def.type === 'null' || (def.type === 'literal' && def.values.every((v) => v === null))
}

function exactlyOne({ anyOf, ...schema }: StructuralSchema): StructuralSchema {
  return { ...schema, ...(anyOf === undefined ? {} : { oneOf: anyOf }) }
}

function convertMembers(
  schema: core.$ZodUnion,
  members: readonly core.$ZodType[],
  place: Place,
): StructuralSchema {
  const [only] = members
  if (members.length === 1 && only !== undefined) return place.convert(only, place)
  if ('discriminator' in schema._zod.def) {
    return hoistBranches(schema as core.$ZodDiscriminatedUnion, place)
  }
  const problemsBefore = place.problems.length
  const schemas = members.map((member) => place.convert(member, place))
  if (place.problems.length > problemsBefore) return {}
  const isNullable = schemas.some((member) => member.nullable === true)
  const merged = merge(schemas.map(undocumented), place)
  return isNullable ? asNullable(merged, place) : merged
}

function undocumented(schema: StructuralSchema): StructuralSchema {
  const { title: _t, description: _d, example: _e, nullable: _n, ...rest } = schema
  return rest
}

function merge(schemas: readonly StructuralSchema[], place: Place): StructuralSchema {
  if (schemas.some((schema) => schema.default !== undefined)) {
    return reject(place, 'one member of a union cannot have a default', 'put it on the whole union')
  }
  if (schemas.every((schema) => schema.enum !== undefined)) {
    return fixedValues([...new Set(schemas.flatMap((schema) => schema.enum ?? []))], place)
  }
  const types = new Set(schemas.map((schema) => schema.type))
  const [type] = types
  if (types.size === 1 && type !== undefined && type !== 'object' && type !== 'array') {
    return { type, anyOf: schemas.map(({ type: _type, ...validations }) => validations) }
  }
  if (types.size === 2 && types.has('integer') && types.has('string') && schemas.length === 2) {
    return intOrString(schemas)
  }
  return reject(
    place,
    'a CRD field has one type, and these have different ones or are objects with no telling field',
    'use z.discriminatedUnion(...), or one object with optional fields and a rule(...)',
  )
}

/** A server applies number keywords to numbers only and text keywords to texts only. */
function intOrString(schemas: readonly StructuralSchema[]): StructuralSchema {
  const validations = schemas.map((schema) => {
    const { type: _type, format, enum: values, ...rest } = schema
    if (values !== undefined && schema.type === 'string') {
      return { ...rest, pattern: `^(${values.map((value) => escape(value as string)).join('|')})$` }
    }
    if (values !== undefined) return { ...rest, anyOf: [{ enum: values }, { minLength: 0 }] }
    return format === 'int32' ? { minimum: -(2 ** 31), maximum: 2 ** 31 - 1, ...rest } : rest
  })
  return Object.assign(
    { 'x-kubernetes-int-or-string': true } as const,
    ...validations,
  ) as StructuralSchema
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
