/** Prints decoded objects as Go prints the server's internal structs. */
import { goShapes } from './go-shapes.ts'

/** The name of an internal struct. */
export type GoStruct = keyof typeof goShapes

interface GoField {
  readonly name: string
  readonly jsonName: string
  /** The value is in the enclosing object. */
  readonly isOuter: boolean
  readonly zero: string
  readonly type: GoStruct | undefined
}

interface GoShape {
  readonly isTagged: boolean
  readonly fields: readonly GoField[]
}

const shapes = new Map<GoStruct, GoShape>()

function shapeOf(type: GoStruct): GoShape {
  const known = shapes.get(type)
  if (known !== undefined) return known
  const words = goShapes[type].split(' ')
  const isTagged = words[0] === '~'
  const fields = (isTagged ? words.slice(1) : words).map((word) => readField(word))
  const shape = { isTagged, fields }
  shapes.set(type, shape)
  return shape
}

function readField(word: string): GoField {
  const [names = '', zero, type] = word.split(':')
  const [name = '', json = name.charAt(0).toLowerCase() + name.slice(1)] = names.split('=')
  const isOuter = json.startsWith('^')
  return {
    name,
    jsonName: isOuter ? json.slice(1) : json,
    isOuter,
    zero: zero ?? '',
    type: type as GoStruct | undefined,
  }
}

/** A value in the order of its Go struct; arrays and strings are kept, maps are sorted. */
type Ordered = string | number | boolean | bigint | null | readonly Ordered[] | OrderedFields
type OrderedFields = ReadonlyMap<string, Ordered>
type Json = Readonly<Record<string, unknown>>

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function ordered(value: unknown, type: GoStruct | undefined, outer: Json): Ordered {
  if (value === undefined || value === null) return null
  if (Array.isArray(value)) return value.map((item) => ordered(item, type, outer))
  if (!isRecord(value)) return value as string | number | boolean
  if (type !== undefined) return orderedStruct(value, type, outer)
  const keys = Object.keys(value).sort((a, b) => (a < b ? -1 : 1))
  return new Map(keys.map((key) => [key, ordered(value[key], undefined, {})]))
}

function orderedStruct(value: Json, type: GoStruct, outer: Json): OrderedFields {
  const { isTagged, fields } = shapeOf(type)
  const result = new Map<string, Ordered>()
  for (const field of fields) {
    const source = field.isOuter ? outer : value
    const found = Object.hasOwn(source, field.jsonName) ? source[field.jsonName] : undefined
    if (field.zero === 'inline' && field.type !== undefined) {
      // Embedded metadata has its own JSON object, other embedded structs share this one.
      const inner = field.type === 'ObjectMeta' ? found : value
      const part = orderedStruct(isRecord(inner) ? inner : {}, field.type, value)
      for (const [key, item] of part) result.set(key, item)
    } else if (
      found !== undefined &&
      found !== null &&
      !(type === 'ObjectMeta' && isEmpty(found))
    ) {
      result.set(field.name, ordered(found, field.type, value))
    } else if (!isTagged || field.zero === 's') {
      result.set(field.name, zeroOf(field, value))
    }
  }
  return result
}

/** Metadata is encoded, without empty lists and maps. */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  return isRecord(value) && Object.keys(value).length === 0
}

function zeroOf({ zero, type }: GoField, outer: Json): Ordered {
  if (zero === 'o' && type !== undefined) return orderedStruct({}, type, outer)
  if (zero === 's') return ''
  if (zero === 'q') return '0'
  if (zero === 'i') return 0
  return zero === 'b' ? false : null
}

/** Go's JSON escapes characters for HTML. */
function quote(text: string): string {
  return JSON.stringify(text).replace(
    /[<>&\u2028\u2029]/g,
    (character) => '\\u' + character.charCodeAt(0).toString(16).padStart(4, '0'),
  )
}

function print(value: Ordered): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value !== 'object' || value === null) return String(value)
  if (value instanceof Map) {
    const fields = value as OrderedFields
    return `{${[...fields].map(([key, item]) => `${quote(key)}:${print(item)}`).join(',')}}`
  }
  return `[${(value as readonly Ordered[]).map(print).join(',')}]`
}

function printLines(value: Ordered, indent: string): string {
  if (typeof value !== 'object' || value === null) return print(value)
  const deeper = `${indent} `
  if (value instanceof Map) {
    const fields = [...(value as OrderedFields)]
    if (fields.length === 0) return '{}'
    const lines = fields.map(([key, item]) => `${deeper}${quote(key)}: ${printLines(item, deeper)}`)
    return `{\n${lines.join(',\n')}\n${indent}}`
  }
  const items = value as readonly Ordered[]
  if (items.length === 0) return '[]'
  return `[\n${items.map((item) => deeper + printLines(item, deeper)).join(',\n')}\n${indent}]`
}

/** One line, as messages show a struct. */
export function printStruct(value: unknown, type: GoStruct): string {
  return print(ordered(value, type, {}))
}

/** Several lines, for the diffs in messages. */
export function printStructLines(value: unknown, type: GoStruct): string[] {
  const text = printLines(ordered(value ?? {}, type, {}), '')
  return text.split('\n')
}
