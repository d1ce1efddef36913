import { CelError, EntryMap, type CelValue } from '../values/cel-value.ts'
import { printValue } from '../values/print-value.ts'

/** The map that a macro builds: it grows in place, and refuses a second value of a key. */
export class GrowingMap extends EntryMap {
  /** Adds an entry. */
  insert(key: CelValue, value: CelValue): EntryMap | CelError {
    if (this.find(key) !== undefined) {
      return new CelError(`insert failed: key ${printValue(key)} already exists`)
    }
    this.set(key, value)
    return this
  }

  /** The same entries in a map that does not grow. */
  done(): EntryMap {
    const map = new EntryMap()
    for (const key of this.keys()) map.set(key, this.find(key) ?? null)
    return map
  }
}
