/**
 * Attributes: a variable, or the result of an expression, and the fields and indexes after it, such
 * as `self.spec.ports[0]`. cel-go evaluates and charges the whole path as one unit; the cost of a
 * path, and what happens with optional fields in it, follow from that.
 */
import {
  CelError,
  CelList,
  CelMap,
  CelOptional,
  CelUint,
  optionalNone,
  type CelResult,
  type CelValue,
} from '../values/cel-value.ts'
import { CelMessage } from '../values/cel-message.ts'
import { printValue } from '../values/print-value.ts'
import { goTypeName, typeOfValue } from './runtime-type.ts'
import type { Evaluate, Frame } from './frame.ts'

/** One step of a path. */
interface Qualifier {
  readonly isOptional: boolean
  /** Whether only the presence counts, as in `has(a.b)`. */
  readonly isTest: boolean
  /** The key, if it is a constant. */
  readonly constant: CelValue | undefined
  /** Finds the key, if it is not a constant. */
  readonly key: Evaluate | undefined
}

/** Where a path begins. */
type Root =
  | { readonly kind: 'value'; readonly evaluate: Evaluate }
  | {
      readonly kind: 'choice'
      readonly condition: Evaluate
      readonly yes: Attribute
      readonly no: Attribute
    }

/** The path of an attribute; the compiler adds steps to it. */
export class Attribute {
  private readonly root: Root
  private readonly qualifiers: Qualifier[] = []

  constructor(root: Root) {
    this.root = root
  }

  /** Whether it is `condition ? one : other`, which costs nothing itself. */
  get isChoice(): boolean {
    return this.root.kind === 'choice'
  }

  /** Adds a step. */
  add(qualifier: Qualifier): void {
    if (this.root.kind === 'value') {
      this.qualifiers.push(qualifier)
      return
    }
    this.root.yes.add(qualifier)
    this.root.no.add(qualifier)
  }

  /** The value, without the cost of the attribute itself. */
  resolve(frame: Frame): CelResult {
    const { root } = this
    if (root.kind === 'value') return this.follow(frame, root.evaluate(frame))
    const condition = root.condition(frame)
    if (condition === true) return root.yes.resolve(frame)
    if (condition === false) return root.no.resolve(frame)
    return condition instanceof CelError ? condition : new CelError('no such overload')
  }

  private follow(frame: Frame, start: CelResult): CelResult {
    if (start instanceof CelError || this.qualifiers.length === 0) return start
    let isOptional = start instanceof CelOptional
    let value: CelValue = start
    if (start instanceof CelOptional) {
      const { value: content } = start
      if (content === undefined) return start
      const isContainer = content instanceof CelMap || content instanceof CelList
      value = isContainer ? content.unwrapped : content
    }
    for (const qualifier of this.qualifiers) {
      isOptional ||= qualifier.isOptional
      const found = isOptional
        ? qualifyIfPresent(frame, qualifier, value)
        : qualify(frame, qualifier, value)
      if (found instanceof CelError) return found
      if (found === undefined) return optionalNone
      value = found
    }
    if (!isOptional) return value
    return new CelOptional(value)
  }
}

function qualify(frame: Frame, qualifier: Qualifier, value: CelValue): CelResult {
  const key = keyOf(frame, qualifier)
  frame.spend(1)
  if (key instanceof CelError) return key
  const found = lookUp(value, key, qualifier.isTest)
  if (qualifier.isTest) return found instanceof CelError ? found : found !== undefined
  return found === undefined ? missing(value, key) : found
}

/** The value of the step, or `undefined` if it is absent. An absent value costs nothing. */
function qualifyIfPresent(
  frame: Frame,
  qualifier: Qualifier,
  value: CelValue,
): CelResult | undefined {
  const key = keyOf(frame, qualifier)
  if (key instanceof CelError) return key
  const found = lookUp(value, key, true)
  if (found !== undefined) frame.spend(1)
  return found
}

function keyOf(frame: Frame, qualifier: Qualifier): CelResult {
  return qualifier.key === undefined ? (qualifier.constant ?? null) : qualifier.key(frame)
}

/** The value of a key; `undefined` if there is none. */
function lookUp(value: CelValue, key: CelValue, isTest: boolean): CelResult | undefined {
  if (!isKey(key)) return invalidKey(key)
  if (value instanceof CelMap) return value.find(key)
  if (value instanceof CelMessage && typeof key === 'string') {
    // A field that the literal does not set is null.
    return value.fields.get(key) ?? (isTest ? undefined : null)
  }
  if (!(value instanceof CelList)) return isTest ? undefined : missing(value, key)
  const index = indexOf(key)
  if (index instanceof CelError) return index
  return index >= 0 && index < value.size ? value.at(index) : undefined
}

/** The error of an index that no list or map can have. */
export function invalidKey(key: CelValue): CelError {
  return new CelError(`invalid qualifier type: ${goTypeName(key)}`)
}

/** Whether a list or map can have the index. */
export function isKey(key: CelValue): boolean {
  return (
    typeof key === 'string' ||
    typeof key === 'bigint' ||
    typeof key === 'number' ||
    typeof key === 'boolean' ||
    key instanceof CelUint
  )
}

function indexOf(key: CelValue): number | CelError {
  if (typeof key === 'bigint') return Number(key)
  if (key instanceof CelUint) return Number(key.value)
  if (typeof key === 'number') {
    if (Number.isInteger(key)) return key
    return new CelError(`unsupported index value ${printValue(key)} in list`)
  }
  return new CelError(`unsupported index type '${typeOfValue(key).name}' in list`)
}

function missing(value: CelValue, key: CelValue): CelError {
  const text = value instanceof CelList ? 'index out of bounds' : 'no such key'
  return new CelError(`${text}: ${printValue(key)}`)
}
