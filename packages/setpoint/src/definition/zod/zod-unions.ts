/**
 * Unions. A structural schema has one type per field, so a union is only possible when its members
 * have the same type, are an integer and a string, or are objects with a discriminator.
 */
import type * as core from 'zod/v4/core'
import type { StructuralSchema } from '../../schema/index.ts'
import { asNullable } from './nullable-schema.ts'
import { hoistBranches } from './discriminated-union.ts'
import { fixedValues } from './zod-enums.ts'
import { reject, type Place } from './zod-place.ts'

export function convertUnion(schema: core.$ZodUnion, place: Place): StructuralSchema {
  const { options } = schema._zod.def
  const members = options.filter(
    (option) => !isNull(option) && option._zod.def.type !== 'undefined',
  )
  const converted = convertMembers(schema, members, place)
  return options.some(isNull) ? asNullable(converted, place) : converted
}

function isNull(schema: core.$ZodType): boolean {
  const def = schema._zod.def as core.$ZodTypes['_zod']['def']
  return def.type === 'null' || (def.type === 'literal' && def.values.every((v) => v === null))
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
  // z.xor requires exactly one match, z.union at least one.
  const keyword = schema._zod.def.inclusive === false ? 'oneOf' : 'anyOf'
  const merged = merge(schemas.map(undocumented), keyword, place)
  return isNullable ? asNullable(merged, place) : merged
}

function undocumented(schema: StructuralSchema): StructuralSchema {
  const { title: _t, description: _d, example: _e, nullable: _n, ...rest } = schema
  return rest
}

function merge(
  schemas: readonly StructuralSchema[],
  keyword: 'anyOf' | 'oneOf',
  place: Place,
): StructuralSchema {
  if (schemas.some((schema) => schema.default !== undefined)) {
    return reject(place, 'one member of a union cannot have a default', 'put it on the whole union')
  }
  if (schemas.some((schema) => schema['x-kubernetes-validations'] !== undefined)) {
    return reject(place, 'one member of a union cannot have a rule', 'put it on the whole union')
  }
  if (keyword === 'anyOf' && schemas.every((schema) => schema.enum !== undefined)) {
    return fixedValues([...new Set(schemas.flatMap((schema) => schema.enum ?? []))], place)
  }
  const types = new Set(schemas.map((schema) => schema.type))
  const [type] = types
  if (types.size === 1 && (type === 'string' || type === 'boolean')) {
    return { type, [keyword]: schemas.map(({ type: _type, ...validations }) => validations) }
  }
  if (types.size === 1 && (type === 'integer' || type === 'number')) {
    return { type, [keyword]: schemas.map(numberValidations) }
  }
  const [texts, numbers] = [ofType(schemas, 'string'), ofType(schemas, 'integer')]
  const [text] = texts
  const [number] = numbers
  if (schemas.length === 2 && text !== undefined && number !== undefined) {
    return intOrString(number, text, place)
  }
  return reject(
    place,
    'a CRD field has one type, and these have different types or are objects without a discriminator',
    'use z.discriminatedUnion(...), or one object with optional fields and a rule(...)',
  )
}

function ofType(schemas: readonly StructuralSchema[], type: string): StructuralSchema[] {
  return schemas.filter((schema) => schema.type === type)
}

/** Without a type a server misinterprets the format of a number, so the range is written out. */
function numberValidations(schema: StructuralSchema): StructuralSchema {
  const { type: _type, format, ...validations } = schema
  if (format !== 'int32') return validations
  return {
    ...validations,
    minimum: Math.max(validations.minimum ?? -Infinity, -(2 ** 31)),
    maximum: Math.min(validations.maximum ?? Infinity, 2 ** 31 - 1),
  }
}

/** A server applies number keywords to numbers only and string keywords to strings only. */
function intOrString(
  number: StructuralSchema,
  text: StructuralSchema,
  place: Place,
): StructuralSchema {
  if (text.format !== undefined) {
    return reject(
      place,
      `a server does not check the format "${text.format}" where a number is allowed too`,
      'describe the text with .regex(...)',
    )
  }
  const { enum: numbers, allOf: ofNumber = [], ...range } = numberValidations(number)
  const { type: _type, enum: texts, allOf: ofText = [], ...shape } = text
  const allOf = [
    ...ofNumber,
    ...ofText,
    // The values, in keywords that ignore values of other types; `enum` would apply to both.
    ...(numbers === undefined ? [] : [{ anyOf: numbers.map((n) => ({ minimum: n, maximum: n })) }]),
    ...(texts === undefined
      ? []
      : [{ pattern: `^(${texts.map((value) => escape(value as string)).join('|')})$` }]),
  ]
  return {
    'x-kubernetes-int-or-string': true,
    ...range,
    ...shape,
    ...(allOf.length === 0 ? {} : { allOf: allOf as StructuralSchema[] }),
  }
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
