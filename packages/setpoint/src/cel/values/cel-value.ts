/**
 * The values of CEL. Some are plain JavaScript values, so that JSON needs little conversion: `bool`
 * is a boolean, `int` a bigint, `double` a number, `string` a string, `bytes` a Uint8Array.
 */
import type { CelType } from '../types/cel-type.ts'

/** An unsigned 64-bit integer. */
export class CelUint {
  readonly value: bigint
  constructor(value: bigint) {
    this.value = value
  }
}

/** A span of time. */
export class CelDuration {
  readonly nanoseconds: bigint
  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds
  }
}

/** A point in time, with the offset from UTC that its text had. */
export class CelTimestamp {
  /** Since 1970, in UTC. */
  readonly nanoseconds: bigint
  readonly offsetSeconds: number
  constructor(nanoseconds: bigint, offsetSeconds = 0) {
    this.nanoseconds = nanoseconds
    this.offsetSeconds = offsetSeconds
  }
}

/** A value that might be absent. */
export class CelOptional {
  readonly value: CelValue | undefined
  constructor(value?: CelValue) {
    this.value = value
  }
}

/** The optional without a value. */
export const optionalNone = new CelOptional()

/** A type as a value: the result of `type(x)`. */
export class CelTypeValue {
  readonly type: CelType
  constructor(type: CelType) {
    this.type = type
  }
}

/** The failure of an evaluation. It is passed on like a value, because `||` and `&&` can ignore it. */
export class CelError {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/** Compares two values; an error if their types cannot be compared. */
export type Equality = (one: CelValue, other: CelValue) => boolean | CelError

/** A list. */
export abstract class CelList {
  abstract readonly size: number
  /** The element at an index below `size`. */
  abstract at(index: number): CelResult

  *[Symbol.iterator](): Iterator<CelResult> {
    for (let index = 0; index < this.size; index++) yield this.at(index)
  }

  /** The list as it is in an optional value: one of Kubernetes loses its schema there. */
  get unwrapped(): CelList {
    return this
  }

  /** Whether the value is a list with the same elements. */
  equals(other: CelValue, equal: Equality): boolean | CelError {
    if (!(other instanceof CelList) || this.size !== other.size) return false
    for (let index = 0; index < this.size; index++) {
      const one = this.at(index)
      const another = other.at(index)
      if (one instanceof CelError || another instanceof CelError) continue
      if (equal(one, another) === false) return false
    }
    return true
  }

  /** This list, followed by another one. */
  concat(other: CelList): CelList | CelError {
    if (this.size === 0) return other
    if (other.size === 0) return this
    return new ConcatList(this, other)
  }
}

/** A list in memory. */
export class ArrayList extends CelList {
  readonly elements: readonly CelResult[]
  constructor(elements: readonly CelResult[]) {
    super()
    this.elements = elements
  }
  get size(): number {
    return this.elements.length
  }
  at(index: number): CelResult {
    return this.elements[index] ?? null
  }
}

/** Two lists, one after the other. */
class ConcatList extends CelList {
  readonly size: number
  private readonly first: CelList
  private readonly second: CelList
  private flat: readonly CelResult[] | undefined

  constructor(first: CelList, second: CelList) {
    super()
    this.size = first.size + second.size
    this.first = first
    this.second = second
  }

  at(index: number): CelResult {
    this.flat ??= [...this.first, ...this.second]
    return this.flat[index] ?? null
  }
}

/** The list that a macro builds: it grows in place. */
export class GrowingList extends CelList {
  readonly elements: CelResult[] = []
  get size(): number {
    return this.elements.length
  }
  at(index: number): CelResult {
    return this.elements[index] ?? null
  }
  override concat(other: CelList): CelList {
    for (const element of other) this.elements.push(element)
    return this
  }
}

/** A map, or an object with fields. */
export abstract class CelMap {
  abstract readonly size: number
  /** The value of a key, or `undefined`. */
  abstract find(key: CelValue): CelResult | undefined
  abstract keys(): Iterable<CelValue>

  /** The map as it is in an optional value: one of Kubernetes loses its schema there. */
  get unwrapped(): CelMap {
    return this
  }

  /** Whether the value is a map with the same entries. */
  equals(other: CelValue, equal: Equality): boolean | CelError {
    if (!(other instanceof CelMap) || this.size !== other.size) return false
    for (const key of this.keys()) {
      const mine = this.find(key)
      const theirs = other.find(key)
      if (mine === undefined || theirs === undefined) return false
      if (mine instanceof CelError || theirs instanceof CelError) continue
      if (equal(mine, theirs) === false) return false
    }
    return true
  }
}

/** A map in memory. Numbers that are equal are the same key, even with different types. */
export class EntryMap extends CelMap {
  private readonly entries = new Map<unknown, [CelValue, CelValue]>()

  get size(): number {
    return this.entries.size
  }

  /** Sets the value of a key. */
  set(key: CelValue, value: CelValue): void {
    this.entries.set(indexOfKey(key), [key, value])
  }

  /** Removes a key. */
  delete(key: CelValue): void {
    this.entries.delete(indexOfKey(key))
  }

  find(key: CelValue): CelValue | undefined {
    return this.entries.get(indexOfKey(key))?.[1]
  }

  *keys(): Iterable<CelValue> {
    for (const [key] of this.entries.values()) yield key
  }
}

/** A key as a key of a JavaScript map: integers of all types become bigints. */
function indexOfKey(key: CelValue): unknown {
  switch (typeof key) {
    case 'string':
    case 'boolean':
    case 'bigint':
      return key
    case 'number':
      return Number.isInteger(key) ? BigInt(key) : key
    default:
      if (key instanceof CelUint) return key.value
      return key
  }
}

/** A value of a library's own type, such as a quantity. */
export abstract class CelObject {
  abstract readonly type: CelType
  abstract equals(other: CelObject): boolean | CelError
  /** The size that the cost of calls counts; most values count 1. */
  get size(): number | undefined {
    return undefined
  }
}

/** A value that a literal can have. */
export type CelConstant = null | boolean | bigint | number | string | Uint8Array | CelUint

/** A value without errors. */
export type CelValue =
  | CelConstant
  | CelDuration
  | CelTimestamp
  | CelOptional
  | CelTypeValue
  | CelList
  | CelMap
  | CelObject

/** The result of an evaluation. */
export type CelResult = CelValue | CelError
