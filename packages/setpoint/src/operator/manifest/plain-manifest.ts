import { SetpointError } from '../../errors/index.ts'
import { isPlainObject } from '../../schema/json-value.ts'

/** No manifest is this deep. A deeper value contains itself. */
const depthMax = 100

/**
 * The result of an author's function, without fields that are null or undefined. Values that JSON
 * does not have (a Date, a Map, NaN) are refused with their path, because the server would store
 * something else, which would look like drift.
 */
export function plainManifest(value: unknown, what: string): Record<string, unknown> {
  const walk = new Walk(what)
  return isPlainObject(value) ? walk.fields(value) : walk.refuse(value)
}

class Walk {
  readonly #what: string
  /** The path of the current value. */
  readonly #path: string[] = []

  constructor(what: string) {
    this.#what = what
  }

  fields(value: Record<string, unknown>): Record<string, unknown> {
    let kept = value
    for (const field in value) {
      const before = value[field]
      const after = before === null ? undefined : this.#below(field, before)
      if (after === before && after !== undefined) continue
      if (kept === value) kept = { ...value }
      if (after === undefined) Reflect.deleteProperty(kept, field)
      else kept[field] = after
    }
    return kept
  }

  #items(items: readonly unknown[]): readonly unknown[] {
    const plain = items.map((item, index) => this.#below(String(index), item ?? nothing))
    return plain.every((item, index) => item === items[index]) ? items : plain
  }

  #below(field: string, value: unknown): unknown {
    this.#path.push(field)
    const plain = this.#value(value)
    this.#path.pop()
    return plain
  }

  #value(value: unknown): unknown {
    if (typeof value === 'string' || typeof value === 'boolean' || value === undefined) return value
    if (typeof value === 'number' && Number.isFinite(value)) return value
    if (this.#path.length > depthMax) return this.refuse(value)
    if (Array.isArray(value)) return this.#items(value)
    return isPlainObject(value) ? this.fields(value) : this.refuse(value)
  }

  refuse(value: unknown): never {
    const path = this.#path.slice(0, 5).join('.')
    const isDeep = this.#path.length > depthMax
    const found = isDeep ? 'contains itself' : `is ${wordFor(value)}`
    throw new SetpointError(
      'OPERATOR_INVALID',
      `${this.#what}: ${path === '' ? 'it' : path} ${found}, which cannot be sent`,
      {
        hint:
          value === undefined
            ? 'return the object, or null for a child that should not exist'
            : 'give plain objects, lists without holes, texts, finite numbers and booleans',
      },
    )
  }
}

/** A list item that is undefined. */
const nothing = Symbol('nothing')

function wordFor(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) {
    return `a ${(value.constructor as { readonly name?: string } | undefined)?.name ?? 'object'}`
  }
  return value === nothing ? 'nothing' : typeof value === 'function' ? 'a function' : String(value)
}
