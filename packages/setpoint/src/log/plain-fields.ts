import { plainError } from './plain-error.ts'

/** The replacement of a secret. */
const redacted = '[redacted]'

/** Names of fields with secrets, in lower case without hyphens and underscores. */
const secretNames: ReadonlySet<string> = new Set([
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'token',
  'accesstoken',
  'refreshtoken',
  'idtoken',
  'bearertoken',
  'password',
  'passwd',
  'clientkeydata',
  'clientsecret',
  'privatekey',
  'apikey',
])

/** kubectl's copy of the whole object, including secrets. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

const depthMax = 10
const itemsMax = 100
const charactersMax = 16_384

/**
 * How many values of one record are written: an object that contains itself must not become an
 * endless line.
 */
const valuesMax = 5_000

interface Budget {
  values: number
}

/**
 * Fields as plain data of bounded size, without secrets. It never throws: a record that cannot be
 * written would hide its cause.
 */
export function plainFields(fields: object): Record<string, unknown> {
  const budget = { values: valuesMax }
  const plain: Record<string, unknown> = {}
  for (const name of Object.keys(fields)) {
    const value = plainValue(fieldOf(fields, name), budget, 1)
    if (value !== undefined) plain[name] = isSecretName(name) ? redacted : value
  }
  return plain
}

function plainValue(value: unknown, budget: Budget, depth: number): unknown {
  budget.values -= 1
  if (budget.values < 0) return '[too much]'
  if (typeof value === 'string') return shortened(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'function' || typeof value === 'symbol') return undefined
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Error) return plainError(value, { stack: true })
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (depth >= depthMax) return Array.isArray(value) ? '[list]' : '[object]'
  if (Array.isArray(value)) return plainList(value, budget, depth)
  const own = jsonOf(value)
  if (own !== value) return plainValue(own, budget, depth + 1)
  return plainObject(value, budget, depth)
}

function plainList(list: readonly unknown[], budget: Budget, depth: number): unknown[] {
  const shown = list.slice(0, itemsMax).map((item) => plainValue(item, budget, depth + 1))
  return list.length > itemsMax ? [...shown, `[${list.length - itemsMax} more]`] : shown
}

function plainObject(object: object, budget: Budget, depth: number): Record<string, unknown> {
  const kind = fieldOf(object, 'kind')
  const isSecret = kind === 'Secret'
  const plain: Record<string, unknown> = {}
  for (const name of Object.keys(object)) {
    const value = fieldOf(object, name)
    if (value === undefined) continue
    if (isSecretName(name) || (isSecret && (name === 'data' || name === 'stringData'))) {
      plain[name] = redacted
    } else if (name === lastApplied) {
      plain[name] = redacted
    } else if (kind === 'SecretList' && name === 'items' && Array.isArray(value)) {
      // The items of a list have no kind.
      plain[name] = `[${value.length} secrets]`
    } else {
      plain[name] = plainValue(value, budget, depth + 1)
    }
    if (budget.values < 0) break
  }
  return plain
}

function isSecretName(name: string): boolean {
  return name.length < 40 && secretNames.has(name.toLowerCase().replaceAll(/[-_]/g, ''))
}

function fieldOf(object: object, name: string): unknown {
  try {
    return (object as Record<string, unknown>)[name]
  } catch {
    // A getter that throws.
    return '[unreadable]'
  }
}

/** The JSON form of an object, for example of a date. */
function jsonOf(value: object): unknown {
  try {
    return 'toJSON' in value && typeof value.toJSON === 'function'
      ? (value.toJSON as () => unknown)()
      : value
  } catch {
    return '[unreadable]'
  }
}

function shortened(text: string): string {
  if (text.length <= charactersMax) return text
  return `${text.slice(0, charactersMax)}[${text.length - charactersMax} more]`
}
