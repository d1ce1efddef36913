import type { JsonSchema } from './infer-schema.ts'
import { isMap } from './is-map.ts'

/**
 * The source text of a zod schema for a JSON schema of values. What zod or a CRD cannot express
 * accepts everything: helm checks values.schema.json as well when it renders. A field is required
 * only if the chart has no default for it.
 */
export function zodText(schema: unknown, defaults: unknown, indent = '  '): string {
  if (!isMap(schema)) return anything
  const described = textOf(schema, defaults, indent)
  const { description } = schema
  return typeof description === 'string'
    ? `${described}.describe(${literal(description)})`
    : described
}

const anything = 'z.unknown()'

/** Keywords that change the meaning of the others. */
const unsupported = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'const', 'patternProperties']

function textOf(schema: JsonSchema, defaults: unknown, indent: string): string {
  const { type, items } = schema
  if (schema['x-kubernetes-int-or-string'] === true) return 'intOrString()'
  if (unsupported.some((keyword) => keyword in schema)) return anything
  if (Array.isArray(schema['enum'])) return enumText(schema['enum'])
  if (type === 'string') return `z.string()${limitText(schema, stringLimits)}`
  if (type === 'integer') return `z.int()${limitText(schema, numberLimits)}`
  if (type === 'number') return `z.number()${limitText(schema, numberLimits)}`
  if (type === 'boolean') return 'z.boolean()'
  if (type === 'array') {
    const inner = isMap(items) ? zodText(items, undefined, indent) : anything
    return `z.array(${inner})${limitText(schema, { minItems: 'min', maxItems: 'max' })}`
  }
  return type === 'object' ? objectText(schema, defaults, indent) : anything
}

function objectText(schema: JsonSchema, defaults: unknown, indent: string): string {
  const { properties, required, additionalProperties } = schema
  const names = Array.isArray(required) ? required : []
  const known = isMap(properties) ? Object.entries(properties) : []
  if (known.length === 0 && isMap(additionalProperties)) {
    return `z.record(z.string(), ${zodText(additionalProperties, undefined, indent)})`
  }
  const call = additionalProperties === false ? 'z.object' : 'z.looseObject'
  if (known.length === 0) return `${call}({})`
  const given = isMap(defaults) ? defaults : {}
  const fields = known.map(([name, one]) => {
    const isRequired = names.includes(name) && (given[name] ?? undefined) === undefined
    const text = zodText(one, given[name], `${indent}  `)
    return `${indent}  ${keyText(name)}: ${text}${isRequired ? '' : '.optional()'},\n`
  })
  return `${call}({\n${fields.join('')}${indent}})`
}

const stringLimits = { minLength: 'min', maxLength: 'max' }
const numberLimits = { minimum: 'min', maximum: 'max' }

function limitText(schema: JsonSchema, limits: Readonly<Record<string, string>>): string {
  return Object.entries(limits)
    .map(([keyword, method]) => {
      const limit = schema[keyword]
      return typeof limit === 'number' ? `.${method}(${limit})` : ''
    })
    .join('')
}

function enumText(values: readonly unknown[]): string {
  const texts = values.filter((value) => typeof value === 'string')
  if (texts.length < values.length || texts.length === 0) return anything
  return `z.enum([${texts.map(literal).join(', ')}])`
}

function keyText(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : literal(name)
}

/** A text as a literal in single quotes. */
export function literal(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${escaped}'`
}
