import { isJsonObject, jsonEquals, type JsonObject, type JsonValue } from 'setpoint/schema'

/** Fields that the server sets on every write, or that other controllers write. */
const serverFields: ReadonlySet<string> = new Set([
  'metadata.managedFields',
  'metadata.resourceVersion',
  'metadata.generation',
  'metadata.uid',
  'metadata.creationTimestamp',
  'status',
])

/** The fields that would change, as lines: `spec.replicas: 1 -> 2`. */
export function fieldDifferences(before: object, after: object): string[] {
  return differences('', before as JsonObject, after as JsonObject)
}

function differences(
  path: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): string[] {
  if (serverFields.has(path)) return []
  if (before !== undefined && after !== undefined) {
    if (jsonEquals(before, after)) return []
    const parts = [partsOf(before), partsOf(after)] as const
    if (parts[0] !== undefined && parts[1] !== undefined) return within(path, parts[0], parts[1])
  }
  return before === after ? [] : [`${path}: ${printed(before)} -> ${printed(after)}`]
}

type Parts = ReadonlyMap<string, JsonValue>

function within(path: string, before: Parts, after: Parts): string[] {
  const steps = [...new Set([...before.keys(), ...after.keys()])]
  return steps.flatMap((step) =>
    differences(`${path}${path === '' ? step.slice(1) : step}`, before.get(step), after.get(step)),
  )
}

/** The parts of a value by their path step: fields, and list items by their `name`. */
function partsOf(value: JsonValue): Parts | undefined {
  if (isJsonObject(value)) {
    return new Map(Object.entries(value).map(([name, field]) => [`.${name}`, field]))
  }
  if (!Array.isArray(value)) return undefined
  const named = value.map((item) => (isJsonObject(item) ? item['name'] : undefined))
  if (!named.every((name) => typeof name === 'string')) return undefined
  if (new Set(named).size < named.length) return undefined
  return new Map(value.map((item, index) => [`[${named[index]}]`, item]))
}

const charactersMax = 100

function printed(value: JsonValue | undefined): string {
  if (value === undefined) return '(none)'
  const text = JSON.stringify(value)
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}...` : text
}
