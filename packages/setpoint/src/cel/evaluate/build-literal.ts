/** Builds the values of list, map and object literals. */
import type { MessageType } from '../types/message-type.ts'
import {
  ArrayList,
  CelError,
  CelOptional,
  type EntryMap,
  type CelResult,
  type CelValue,
} from '../values/cel-value.ts'
import { printValue } from '../values/print-value.ts'
import type { Evaluate, Frame } from './frame.ts'

/** The list of the parts; an absent optional part is left out. */
export function buildList(
  frame: Frame,
  parts: readonly Evaluate[],
  optionals: ReadonlySet<number>,
): CelResult {
  const elements: CelValue[] = []
  for (const [index, part] of parts.entries()) {
    const element = part(frame)
    if (element instanceof CelError) return element
    if (!optionals.has(index)) {
      elements.push(element)
    } else if (element instanceof CelOptional) {
      if (element.value !== undefined) elements.push(element.value)
    } else {
      return new CelError(
        `cannot initialize optional list element from non-optional value ${printValue(element)}`,
      )
    }
  }
  return new ArrayList(elements)
}

/** Sets an entry of a map, or removes it if the value is an absent optional. */
export function setEntry(
  map: Pick<EntryMap, 'set' | 'delete'>,
  [key, value]: readonly [CelValue, CelValue],
  isOptional: boolean,
): CelError | undefined {
  if (!isOptional) {
    map.set(key, value)
  } else if (value instanceof CelOptional) {
    if (value.value === undefined) map.delete(key)
    else map.set(key, value.value)
  } else {
    return new CelError(
      `cannot initialize optional entry '${printValue(key)}' from non-optional value ${printValue(value)}`,
    )
  }
  return undefined
}

/** A field of an object literal. */
interface FieldPart {
  readonly name: string
  readonly evaluate: Evaluate
  readonly isOptional: boolean
}

/** Evaluates an object literal, which costs 40. */
export function buildMessage(message: MessageType, parts: readonly FieldPart[]): Evaluate {
  const build: Evaluate = (frame) => {
    const fields = new Map<CelValue, CelValue>()
    for (const { name, evaluate, isOptional } of parts) {
      const value = evaluate(frame)
      if (value instanceof CelError) return value
      const problem = setEntry(fields, [name, value], isOptional)
      if (problem !== undefined) return problem
    }
    return message.create(fields as ReadonlyMap<string, CelValue>)
  }
  return (frame) => {
    const result = build(frame)
    frame.spend(40)
    return result
  }
}
