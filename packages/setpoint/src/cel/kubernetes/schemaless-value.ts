/** Values of JSON without a schema. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../schema/index.ts'
import { CelList, CelMap, type CelValue } from '../values/cel-value.ts'

/** The value of JSON; whole numbers are integers. */
export function plainValue(json: JsonValue): CelValue {
  if (Array.isArray(json)) return new PlainList(json)
  if (isJsonObject(json)) return new PlainMap(json)
  return typeof json === 'number' && Number.isInteger(json) ? BigInt(json) : json
}

/** A list of JSON values. */
export class PlainList extends CelList {
  readonly json: readonly JsonValue[]
  constructor(json: readonly JsonValue[]) {
    super()
    this.json = json
  }
  get size(): number {
    return this.json.length
  }
  at(index: number): CelValue {
    return plainValue(this.json[index] ?? null)
  }
}

/** A map of JSON values. */
export class PlainMap extends CelMap {
  readonly json: JsonObject
  constructor(json: JsonObject) {
    super()
    this.json = json
  }
  get size(): number {
    return Object.keys(this.json).length
  }
  find(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string' || !Object.hasOwn(this.json, key)) return undefined
    return plainValue(this.json[key] ?? null)
  }
  keys(): Iterable<CelValue> {
    return Object.keys(this.json)
  }
}
