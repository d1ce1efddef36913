/**
 * A discriminated union as a structural schema: `properties` has the fields of all branches with
 * their types, and `oneOf` lists per branch the required and the forbidden fields. A field of
 * another branch is refused and not dropped: it is usually left over from a change of the
 * discriminator.
 */
import type * as core from 'zod/v4/core'
import type { StructuralSchema, ValidationRule } from '../../schema/index.ts'
import { jsonEquals } from '../../schema/index.ts'
import { celName } from '../options/cel-name.ts'
import { reject, type Place } from './zod-place.ts'

interface Branch {
  readonly values: readonly string[]
  readonly schema: StructuralSchema
}

/** Keywords that restrict values, and so may be used inside `oneOf`. */
const valueKeywords = new Set(
  (
    'enum minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength ' +
    'pattern minItems maxItems minProperties maxProperties required allOf anyOf oneOf not'
  ).split(' '),
)

export function hoistBranches(union: core.$ZodDiscriminatedUnion, place: Place): StructuralSchema {
  const { discriminator } = union._zod.def
  const problemsBefore = place.problems.length
  const branches = union._zod.def.options.flatMap((option) =>
    branchOf(option, discriminator, place),
  )
  if (place.problems.length > problemsBefore) return {}
  const names = [...new Set(branches.flatMap(({ schema }) => Object.keys(schema.properties ?? {})))]
  const others = names.filter((name) => name !== discriminator)
  const hoisted = others.map((name) => [name, hoistField(name, branches, place)] as const)
  const rules = branches.flatMap((branch) => guardedRules(branch, discriminator))
  const open = branches.filter((b) => b.schema['x-kubernetes-preserve-unknown-fields'] === true)
  if (open.length > 0 && open.length < branches.length) {
    return reject(
      place,
      'one branch keeps unknown fields and another does not, which a CRD cannot express',
      'make all branches z.looseObject(...), or none',
    )
  }
  if (rules.length > 0 && celName(discriminator) === undefined) {
    return reject(place, `CEL cannot name the field "${discriminator}"`, 'rename it')
  }
  return {
    type: 'object',
    properties: {
      [discriminator]: { type: 'string', enum: branches.flatMap((branch) => branch.values) },
      ...Object.fromEntries(hoisted),
    },
    required: [discriminator],
    oneOf: branches.map((branch) => branchValidation(branch, discriminator, hoisted)),
    ...(open.length > 0 ? { 'x-kubernetes-preserve-unknown-fields': true } : {}),
    ...(rules.length === 0 ? {} : { 'x-kubernetes-validations': rules }),
  }
}

function branchOf(option: core.$ZodType, discriminator: string, place: Place): Branch[] {
  const def = option._zod.def as core.$ZodTypes['_zod']['def']
  if (def.type === 'union' && 'discriminator' in def && def.discriminator === discriminator) {
    return def.options.flatMap((inner) => branchOf(inner, discriminator, place))
  }
  if (def.type !== 'object') {
    reject(
      place,
      'a branch of a discriminated union is not a plain object with the same discriminator',
      'write every branch as z.object({...}) with that field',
    )
    return []
  }
  const schema = place.convert(option, place)
  const field = schema.properties?.[discriminator]
  const values = field?.enum ?? []
  if (values.length === 0 || !values.every((value) => typeof value === 'string')) {
    reject(
      place,
      `the field "${discriminator}" does not distinguish the branches by fixed strings`,
      'write it as z.literal("...") in every branch',
    )
    return []
  }
  if (schema.required?.includes(discriminator) !== true) {
    reject(
      place,
      `the field "${discriminator}" selects the branch and must be required`,
      'remove .optional() or .default() from it',
    )
    return []
  }
  return [{ values, schema }]
}

/** The common schema of a field in all branches that have it. */
function hoistField(name: string, branches: readonly Branch[], place: Place): StructuralSchema {
  const variants = branches.flatMap(({ schema }) => schema.properties?.[name] ?? [])
  const [first] = variants
  if (first === undefined) return {}
  const field = { ...place, path: `${place.path}.${name}` }
  const isEverywhere = variants.length === branches.length
  const undocumented = variants.map(({ description: _d, title: _t, example: _e, ...rest }) => rest)
  if (undocumented.every((variant) => jsonEquals(variant, undocumented[0]))) {
    if (first.default === undefined || isEverywhere) return first
    return reject(
      field,
      'a default in one branch of a union would be set in the others too',
      'make it optional and set it in the operator',
    )
  }
  const shapes = undocumented.map(shapeOf)
  const [shape] = shapes
  if (shape !== undefined && shapes.every((other) => jsonEquals(other, shape))) return shape
  return reject(
    field,
    'two branches describe this field differently in more than its allowed values',
    'describe it alike in both, or use two field names',
  )
}

function shapeOf(schema: StructuralSchema): StructuralSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !valueKeywords.has(key)))
}

function validationsOf(schema: StructuralSchema): StructuralSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => valueKeywords.has(key)))
}

function branchValidation(
  { values, schema }: Branch,
  discriminator: string,
  hoisted: readonly (readonly [name: string, field: StructuralSchema])[],
): StructuralSchema {
  const own = schema.properties ?? {}
  const narrowed = Object.fromEntries(
    hoisted.flatMap(([name, common]): [string, StructuralSchema][] => {
      const field = own[name]
      return field === undefined || jsonEquals(field, common) ? [] : [[name, validationsOf(field)]]
    }),
  )
  const foreign = hoisted.map(([name]) => name).filter((name) => !(name in own))
  return {
    properties: { [discriminator]: { enum: values }, ...narrowed },
    required: schema.required ?? [],
    ...(foreign.length === 0
      ? {}
      : { not: { anyOf: foreign.map((name) => ({ required: [name] })) } }),
  }
}

/** The rules of one branch, evaluated only for objects of that branch. */
function guardedRules({ values, schema }: Branch, discriminator: string): ValidationRule[] {
  const field = `self.${celName(discriminator) ?? discriminator}`
  const guard = values.map((value) => `${field} == ${JSON.stringify(value)}`).join(' || ')
  return (schema['x-kubernetes-validations'] ?? []).map((rule) => ({
    ...rule,
    rule: `!(${guard}) || (${rule.rule})`,
  }))
}
