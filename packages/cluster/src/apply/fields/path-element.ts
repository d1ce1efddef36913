import { goJson, goQuote, isJsonObject, type JsonValue } from 'setpoint/schema'

/**
 * One step of a field path in the text form of managedFields: `f:name` (a field), `k:{...}` (a list
 * item by its keys), `v:...` (a member of a set) or `i:0` (an index). The text is canonical: two
 * steps are equal exactly when their texts are, so that sets of fields can be plain maps.
 */
export type PathElement = string

/**
 * JSON as the Go library for path elements writes it: without the short escapes for backspace and
 * form feed.
 */
function elementJson(value: JsonValue): string {
  const text = goJson(value)
  if (!text.includes('\\')) return text
  return text.replace(/\\(?:u[0-9a-f]{4}|.)/g, (escape) => {
    if (escape === '\\b') return '\\u0008'
    return escape === '\\f' ? '\\u000c' : escape
  })
}

/** A field of a struct or a key of a map. */
export function fieldElement(name: string): PathElement {
  return `f:${name}`
}

/** A member of a list of type set. */
export function valueElement(value: JsonValue): PathElement {
  return `v:${elementJson(value)}`
}

/** An item of a list of type map; the order of the given keys does not matter. */
export function keyElement(fields: readonly (readonly [string, JsonValue])[]): PathElement {
  const sorted = fields.length < 2 ? fields : [...fields].sort(([a], [b]) => compareBytes(a, b))
  const texts = sorted.map(([name, value]) => `${JSON.stringify(name)}:${elementJson(value)}`)
  return `k:{${texts.join(',')}}`
}

/** Go's order of strings, by their UTF-8 bytes. */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left === right) continue
    // Surrogates encode code points above all other code units, although their own values are
    // lower.
    return liftSurrogate(left) - liftSurrogate(right)
  }
  return a.length - b.length
}

function liftSurrogate(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}

/**
 * Parses a key of `fieldsV1`. Undefined for an unknown type of element, which servers ignore;
 * throws for an invalid one.
 */
export function parsePathElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new Error('key must be 2 characters long:')
  if (text[1] !== ':') throw new Error(`missing colon: ${text}`)
  const content = text.slice(2)
  switch (text[0]) {
    case 'f':
      return text
    case 'v':
      return /^-?\d+$/.test(content) ? text : valueElement(JSON.parse(content) as JsonValue)
    case 'k': {
      const keys = JSON.parse(content) as JsonValue
      if (!isJsonObject(keys)) throw new Error(`expect { or n, but found ${content.slice(0, 1)}`)
      return keyElement(Object.entries(keys))
    }
    case 'i':
      if (!/^[+-]?\d+$/.test(content)) {
        throw new Error(`strconv.Atoi: parsing ${goQuote(content)}: invalid syntax`)
      }
      return `i:${Number(content)}`
    default:
      return undefined
  }
}

const ranks = 'fkvi'

/** The order in which a server prints elements: fields, keyed items, members of sets, indices. */
export function comparePathElements(a: PathElement, b: PathElement): number {
  const kind = a[0] ?? ''
  if (kind !== b[0]) return ranks.indexOf(kind) - ranks.indexOf(b[0] ?? '')
  if (kind === 'f') return compareBytes(a, b)
  const left = JSON.parse(a.slice(2)) as JsonValue
  const right = JSON.parse(b.slice(2)) as JsonValue
  return kind === 'k' ? compareKeys(left, right) : compareValues(left, right)
}

function compareKeys(left: JsonValue, right: JsonValue): number {
  const a = Object.entries(left as object) as [string, JsonValue][]
  const b = Object.entries(right as object) as [string, JsonValue][]
  for (const [index, [name, value]] of a.entries()) {
    const other = b[index]
    if (other === undefined) return 1
    const order = compareBytes(name, other[0]) || compareValues(value, other[1])
    if (order !== 0) return order
  }
  return a.length - b.length
}

function rankOfValue(value: JsonValue): number {
  if (typeof value === 'number' || typeof value === 'bigint') return 0
  if (typeof value === 'string') return 1
  if (typeof value === 'boolean') return 2
  if (Array.isArray(value)) return 3
  return value === null ? 5 : 4
}

function compareValues(left: JsonValue, right: JsonValue): number {
  const rank = rankOfValue(left)
  if (rank !== rankOfValue(right)) return rank - rankOfValue(right)
  if (typeof left === 'string') return compareBytes(left, right as string)
  if (rank === 0 || rank === 2) return Number(left) - Number(right)
  return compareBytes(goJson(left), goJson(right))
}

/** The element in messages: `.name`, `[name="c"]`, `[="x"]`, `[0]`. */
export function printPathElement(element: PathElement): string {
  const content = element.slice(2)
  switch (element[0]) {
    case 'f':
      return `.${content}`
    case 'k': {
      const keys = Object.entries(JSON.parse(content) as Record<string, JsonValue>)
      return `[${keys.map(([name, value]) => `${name}=${printValue(value)}`).join(',')}]`
    }
    case 'v':
      return `[=${printValue(JSON.parse(content) as JsonValue)}]`
    default:
      return `[${content}]`
  }
}

function printValue(value: JsonValue): string {
  if (typeof value === 'string') return goQuote(value)
  if (Array.isArray(value)) return `[${value.map(printValue).join(',')}]`
  if (!isJsonObject(value)) return String(value)
  return Object.entries(value)
    .map(([key, item]) => `${key}=${printValue(item)}`)
    .join('')
}
