/** Types whose values expressions write as literals, such as `Object{spec: ...}`. */
import type { CelResult, CelValue } from '../values/cel-value.ts'
import type { CelType } from './cel-type.ts'

/** A type with literals. */
export interface MessageType {
  readonly type: CelType
  /** The type of a field, or `undefined` if there is none of this name. */
  fieldType(name: string): CelType | undefined
  /** The value of a literal with these fields. */
  create(fields: ReadonlyMap<string, CelValue>): CelResult
}

/** Finds a type by its full name. */
export type FindMessageType = (name: string) => MessageType | undefined
