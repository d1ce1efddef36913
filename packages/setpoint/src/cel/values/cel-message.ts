/** Values of types with literals. */
import type { CelType } from '../types/cel-type.ts'
import { CelObject, type CelValue } from './cel-value.ts'
import { celEquals } from './equality.ts'

/** The value of a literal such as `Object{spec: ...}`: the fields that it sets. */
export class CelMessage extends CelObject {
  readonly type: CelType
  readonly fields: ReadonlyMap<string, CelValue>

  constructor(type: CelType, fields: ReadonlyMap<string, CelValue>) {
    super()
    this.type = type
    this.fields = fields
  }

  equals(other: CelObject): boolean {
    if (!(other instanceof CelMessage) || other.fields.size !== this.fields.size) return false
    for (const [name, value] of this.fields) {
      const theirs = other.fields.get(name)
      if (theirs === undefined || celEquals(value, theirs) !== true) return false
    }
    return true
  }
}
