/** The deepest nesting; far beyond any real object, and below the limit of the call stack. */
const depthMax = 500

/**
 * A deep copy, as if it had been sent as JSON: fields that are `undefined` are omitted. Returns
 * undefined for a value that is nested too deeply, including cycles.
 */
export function plainJson(value: unknown): unknown {
  try {
    return copy(value, 0)
  } catch (error) {
    if (error === tooDeep) return undefined
    throw error
  }
}

const tooDeep = new Error('nested too deeply')

function copy(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth > depthMax) throw tooDeep
  if (Array.isArray(value)) return value.map((item: unknown) => copy(item, depth + 1))
  const prototype: unknown = Object.getPrototypeOf(value)
  // A Date or a Map is not JSON; validation reports it.
  if (prototype !== Object.prototype && prototype !== null) return value
  const copied: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(value) as [string, unknown][]) {
    if (field === undefined) continue
    // A plain assignment would set the prototype instead.
    if (key === '__proto__') Object.defineProperty(copied, key, ownField(copy(field, depth + 1)))
    else copied[key] = copy(field, depth + 1)
  }
  return copied
}

function ownField(value: unknown): PropertyDescriptor {
  return { value, writable: true, enumerable: true, configurable: true }
}
