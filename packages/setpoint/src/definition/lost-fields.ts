/** The fields that a conversion to another version and back loses, as JSON. */
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEquals,
  type StructuralSchema,
} from '../schema/index.ts'
import { schemaOfField, setField } from '../schema/json-value.ts'

/** A field of an object, or an item of a list by its keys. */
type PathStep = string | JsonObject

/** A field that another version cannot express. */
export interface LostField {
  readonly at: readonly PathStep[]
  /** What the conversion back gives instead; absent if the field is absent then. */
  readonly shown?: JsonValue
  /** The value that would be lost; absent if the object does not have the field. */
  readonly kept?: JsonValue
}

/** The fields in which `returned` differs from the object that was converted there and back. */
export function lostFields(
  schema: StructuralSchema | undefined,
  { object, returned }: { readonly object?: JsonValue; readonly returned?: JsonValue },
  at: readonly PathStep[] = [],
): LostField[] {
  if (jsonEquals(object, returned)) return []
  if (isJsonObject(object) && isJsonObject(returned)) {
    const keys = new Set([...Object.keys(object), ...Object.keys(returned)])
    return [...keys].flatMap((key) =>
      lostFields(schemaOfField(schema, key), fieldOf(key, { object, returned }), [...at, key]),
    )
  }
  const items = itemsByKeys(schema, object, returned)
  if (items !== undefined) {
    return items.flatMap(([keys, pair]) => lostFields(schema?.items, pair, [...at, keys]))
  }
  return [
    {
      at,
      ...(returned === undefined ? {} : { shown: returned }),
      ...(object === undefined ? {} : { kept: object }),
    },
  ]
}

interface Pair {
  readonly object?: JsonValue
  readonly returned?: JsonValue
}

function fieldOf(key: string, pair: { object: JsonObject; returned: JsonObject }): Pair {
  const [object, returned] = [ownField(pair.object, key), ownField(pair.returned, key)]
  return {
    ...(object === undefined ? {} : { object }),
    ...(returned === undefined ? {} : { returned }),
  }
}

function ownField(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** The items of two lists with the same keys in the same order; lists without keys are one value. */
function itemsByKeys(
  schema: StructuralSchema | undefined,
  object: JsonValue | undefined,
  returned: JsonValue | undefined,
): [JsonObject, Pair][] | undefined {
  const names = schema?.['x-kubernetes-list-map-keys']
  if (names === undefined || !Array.isArray(object) || !Array.isArray(returned)) return undefined
  if (object.length !== returned.length) return undefined
  const pairs = object.map((item, index): [JsonObject, Pair] => [
    keysOf(names, item),
    { object: item, returned: returned[index] as JsonValue },
  ])
  const isSame = pairs.every(([keys, pair]) =>
    jsonEquals(keys, keysOf(names, pair.returned as JsonValue)),
  )
  return isSame ? pairs : undefined
}

function keysOf(names: readonly string[], item: JsonValue): JsonObject {
  const keys: JsonObject = {}
  if (!isJsonObject(item)) return keys
  for (const name of names) setField(keys, name, ownField(item, name) ?? null)
  return keys
}

/** An object with the kept value of one field; undefined if the field is no longer as shown. */
export function withKept(
  object: JsonObject,
  { at, shown, kept }: LostField,
): JsonObject | undefined {
  const changed = changedAt(object, at, (value) =>
    jsonEquals(value, shown) ? { value: kept } : undefined,
  )
  return changed === undefined ? undefined : (changed.value as JsonObject)
}

/** A changed value; a value that is undefined removes the field. */
interface Changed {
  readonly value: JsonValue | undefined
}

function changedAt(
  value: JsonValue | undefined,
  [step, ...rest]: readonly PathStep[],
  change: (value: JsonValue | undefined) => Changed | undefined,
): Changed | undefined {
  if (step === undefined) return change(value)
  if (typeof step === 'string') {
    if (!isJsonObject(value)) return undefined
    const field = changedAt(ownField(value, step), rest, change)
    if (field === undefined) return undefined
    const copy = { ...value }
    if (field.value === undefined) Reflect.deleteProperty(copy, step)
    else setField(copy, step, field.value)
    return { value: copy }
  }
  if (!Array.isArray(value)) return undefined
  const names = Object.keys(step)
  const index = value.findIndex((item) => jsonEquals(keysOf(names, item), step))
  if (index < 0) return undefined
  const item = changedAt(value[index], rest, change)
  return item?.value === undefined ? undefined : { value: value.with(index, item.value) }
}
