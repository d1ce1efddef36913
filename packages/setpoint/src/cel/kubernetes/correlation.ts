/** Matches values of an object with those of its old version. */
import {
  isJsonObject,
  jsonEquals,
  type JsonValue,
  type StructuralSchema,
} from '../../schema/index.ts'

/** Finds the old element with the same keys; only lists of type `map` have such elements. */
export function oldElements(
  schema: StructuralSchema,
  old: JsonValue | undefined,
): (element: JsonValue) => JsonValue | undefined {
  const keys = schema['x-kubernetes-list-map-keys'] ?? []
  const isMap = schema['x-kubernetes-list-type'] === 'map' && keys.length > 0
  if (!isMap || !Array.isArray(old)) return () => undefined
  const identityOf = (element: JsonValue): string | undefined => {
    if (!isJsonObject(element)) return undefined
    const parts: string[] = []
    for (const key of keys) {
      const value = element[key]
      if (value === undefined || value === null || typeof value === 'object') return undefined
      parts.push(`${typeof value} ${String(value)}`)
    }
    return parts.join('\0')
  }
  const known = new Map<string, JsonValue>()
  for (const element of old) {
    const identity = identityOf(element)
    if (identity !== undefined && !known.has(identity)) known.set(identity, element)
  }
  return (element) => {
    const identity = identityOf(element)
    return identity === undefined ? undefined : known.get(identity)
  }
}

/** A value and its old version, where they can be matched. */
export class Correlation {
  readonly value: JsonValue
  readonly old: JsonValue
  readonly schema: StructuralSchema
  private equality: boolean | undefined
  private elements: ((element: JsonValue) => JsonValue | undefined) | undefined

  constructor(value: JsonValue, old: JsonValue, schema: StructuralSchema) {
    this.value = value
    this.old = old
    this.schema = schema
  }

  /** The correlation of a field. */
  key(name: string): Correlation | undefined {
    if (!isJsonObject(this.value) || !isJsonObject(this.old)) return undefined
    const value = this.value[name]
    const old = this.old[name]
    if (value === undefined || old === undefined) return undefined
    const { properties = {}, additionalProperties } = this.schema
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    const schema =
      property ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
    return schema && new Correlation(value, old, schema)
  }

  /** The correlation of an element. */
  index(index: number): Correlation | undefined {
    const { items } = this.schema
    if (items === undefined || !Array.isArray(this.value)) return undefined
    this.elements ??= oldElements(this.schema, this.old)
    const value = this.value[index]
    const old = value === undefined ? undefined : this.elements(value)
    if (value === undefined || old === undefined || old === null) return undefined
    return new Correlation(value, old, items)
  }

  /** Whether the value has not changed. */
  get isUnchanged(): boolean {
    this.equality ??= this.compare()
    return this.equality
  }

  private compare(): boolean {
    const { value, old } = this
    if (Array.isArray(value) && Array.isArray(old)) {
      if (value.length !== old.length) return false
      const isMap = this.schema['x-kubernetes-list-type'] === 'map'
      if (!isMap) return jsonEquals(value, old)
      return value.every((_, index) => this.index(index)?.isUnchanged === true)
    }
    if (isJsonObject(value) && isJsonObject(old)) {
      const names = Object.keys(value)
      if (names.length !== Object.keys(old).length) return false
      return names.every((name) => this.key(name)?.isUnchanged === true)
    }
    return jsonEquals(value, old)
  }
}

/** What is known about the old version of a node, for the tolerance of old errors. */
export interface Ratchet {
  /** The correlation of the node itself. */
  readonly current: Correlation | undefined
  /** The correlation of the nearest node above that has one. */
  readonly parent: Correlation | undefined
}

/** Whether errors of the node were already in the old version, so that they become warnings. */
export function isTolerated({ current, parent }: Ratchet): boolean {
  return (current ?? parent)?.isUnchanged === true
}

/** The ratchet of a field. */
export function ratchetOfKey(ratchet: Ratchet, name: string): Ratchet {
  const { current, parent } = ratchet
  if (current === undefined) return ratchet
  const isRoot = parent === undefined
  if (isRoot && (name === 'apiVersion' || name === 'kind')) {
    return { current: undefined, parent: undefined }
  }
  return { current: current.key(name), parent: current }
}

/** The ratchet of an element. */
export function ratchetOfIndex(ratchet: Ratchet, index: number): Ratchet {
  const { current } = ratchet
  return current === undefined ? ratchet : { current: current.index(index), parent: current }
}
