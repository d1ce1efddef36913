import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { builtinData } from '../../packages/cluster/src/data/index.ts'
import type { Choices } from './choices.ts'
import { randomText, randomValue, valueOfSchema } from './random-values.ts'

/** A changed manifest and the kind of change. */
interface Mutated {
  readonly object: JsonObject
  readonly mutation: string
}

/** One place in a manifest: the object or list, and the key in it. */
interface Place {
  readonly parent: JsonObject | JsonValue[]
  readonly key: string
  readonly schema: JsonObject | undefined
}

/** The steps of a mutation; false if the manifest has no place for it. */
type Mutation = (choices: Choices, object: JsonObject, schema: JsonObject | undefined) => boolean

const mutations: Readonly<Record<string, Mutation>> = {
  'a field is removed': (choices, object, schema) =>
    atPlace(choices, placesOf(object, schema), ({ parent, key }) => {
      if (Array.isArray(parent)) parent.splice(Number(key), 1)
      else delete parent[key]
    }),
  'a field is null': (choices, object, schema) =>
    atPlace(choices, placesOf(object, schema), (place) => set(place, null)),
  'a field has a value of any type': (choices, object, schema) =>
    atPlace(choices, placesOf(object, schema), (place) => set(place, randomValue(choices))),
  'a field has another value of its type': (choices, object, schema) =>
    atPlace(choices, placesOf(object, schema), (place) => set(place, sameType(choices, place))),
  'a field is added': addField,
  'two fields are added': (choices, object, schema) =>
    [addField(choices, object, schema), addField(choices, object, schema)].includes(true),
  'a field is unknown': (choices, object, schema) =>
    atPlace(choices, placesOf(object, schema).filter(isObjectPlace), (place) => {
      const at = valueAt(place) as JsonObject
      at[choices.one(['unknown', 'Name', 'spec', 'x-y'])] = randomValue(choices)
    }),
  'an item of a list is repeated': (choices, object, schema) =>
    atPlace(choices, placesOf(object, schema).filter(isListPlace), (place) => {
      const list = valueAt(place) as JsonValue[]
      if (list.length > 0) list.push(structuredClone(choices.one(list)))
    }),
  'a list or an object is empty': (choices, object, schema) =>
    atPlace(choices, placesOf(object, schema), (place) =>
      set(place, Array.isArray(valueAt(place)) ? [] : {}),
    ),
  'metadata is changed': (choices, object) => {
    const metadata = { ...(object['metadata'] as JsonObject) }
    Object.assign(metadata, randomMetadata(choices))
    object['metadata'] = metadata
    return true
  },
}

/** A manifest with one random change. */
export function mutate(
  choices: Choices,
  manifest: JsonObject,
  schemaName: string | undefined,
): Mutated {
  const schema = schemaName === undefined ? undefined : builtinData.schemas().schemas[schemaName]
  const object = structuredClone(manifest)
  const mutation = choices.one(Object.keys(mutations))
  const isDone = mutations[mutation]?.(choices, object, schema) ?? false
  return { object, mutation: isDone ? mutation : 'none' }
}

/** Fields of metadata that servers treat specially. */
function randomMetadata(choices: Choices): JsonObject {
  const owner = {
    apiVersion: choices.one(['v1', 'apps/v1', '', 'a/b/c']),
    kind: choices.one(['ConfigMap', 'ReplicaSet', '', 'Event']),
    name: choices.one(['a', '']),
    uid: choices.one(['00000000-0000-4000-8000-000000000001', 'x', '']),
    ...(choices.isLikely(0.5) ? { controller: true } : {}),
    ...(choices.isLikely(0.3) ? { blockOwnerDeletion: true } : {}),
  }
  const entry = {
    manager: choices.one(['m', '']),
    operation: choices.one(['Apply', 'Update', 'Other', '']),
    apiVersion: choices.one(['v1', 'x/y/z', '']),
    fieldsType: choices.one(['FieldsV1', 'Other', '']),
    fieldsV1: choices.one<JsonObject>([{}, { 'f:data': {} }, { x: {} }]),
  }
  const options: readonly JsonObject[] = [
    { name: randomText(choices) },
    { name: choices.one(['', null]), generateName: 'generated-' },
    { generateName: randomText(choices) },
    { namespace: choices.one(['other', '', '{ns}', 'default']) },
    { uid: choices.one(['00000000-0000-4000-8000-000000000002', 'x', '']) },
    { resourceVersion: choices.one(['', '0', '1', 'x', '999999999999']) },
    { generation: choices.one([-1, 0, 7]) },
    { selfLink: '/a' },
    { creationTimestamp: choices.one(['2020-01-01T00:00:00Z', 'x', null]) },
    { deletionTimestamp: '2020-01-01T00:00:00Z' },
    { deletionGracePeriodSeconds: choices.one([0, 5, -1]) },
    { labels: { [randomText(choices)]: randomText(choices) } },
    { annotations: { [randomText(choices)]: randomText(choices) } },
    {
      finalizers: choices.one<JsonValue>([
        ['example.com/f'],
        ['f'],
        [''],
        ['foregroundDeletion'],
        ['orphan'],
        ['orphan', 'foregroundDeletion'],
        ['example.com/f', 'example.com/f'],
      ]),
    },
    { ownerReferences: choices.isLikely(0.3) ? [owner, owner] : [owner] },
    { managedFields: choices.isLikely(0.3) ? [] : [entry] },
  ]
  const first = choices.one(options)
  const chosen = choices.isLikely(0.2) ? { ...first, ...choices.one(options) } : first
  // Only after this prefix are random letters left out of the comparison.
  const isGenerated = chosen['name'] === null || chosen['name'] === ''
  return isGenerated ? { ...chosen, generateName: 'generated-' } : chosen
}

function addField(choices: Choices, object: JsonObject, schema: JsonObject | undefined): boolean {
  const typed = placesOf(object, schema).filter(
    (place) => isObjectPlace(place) && propertiesOf(place.schema) !== undefined,
  )
  const root = { parent: { root: object }, key: 'root', schema: resolved(schema) }
  const places = propertiesOf(root.schema) === undefined ? typed : [root, ...typed]
  return atPlace(choices, places, (place) => {
    const properties = propertiesOf(place.schema) ?? {}
    const at = valueAt(place) as JsonObject
    const names = Object.keys(properties).filter((name) => !identity.has(name))
    if (names.length === 0) return
    const name = choices.one(names)
    at[name] = valueOfSchema(choices, properties[name] as JsonObject)
  })
}

const identity = new Set(['apiVersion', 'kind', 'metadata'])

function atPlace(
  choices: Choices,
  places: readonly Place[],
  change: (place: Place) => void,
): boolean {
  if (places.length === 0) return false
  change(choices.one(places))
  return true
}

function set({ parent, key }: Place, value: JsonValue): void {
  if (Array.isArray(parent)) parent[Number(key)] = value
  else parent[key] = value
}

function valueAt({ parent, key }: Place): JsonValue | undefined {
  return Array.isArray(parent) ? parent[Number(key)] : parent[key]
}

const isObjectPlace = (place: Place): boolean => isJsonObject(valueAt(place) ?? null)
const isListPlace = (place: Place): boolean => Array.isArray(valueAt(place))

function sameType(choices: Choices, place: Place): JsonValue {
  const before = valueAt(place) ?? null
  if (place.schema !== undefined) return valueOfSchema(choices, place.schema)
  if (typeof before === 'string') return randomText(choices)
  if (typeof before === 'number') return choices.one([0, -1, 7, 65_536])
  if (typeof before === 'boolean') return !before
  return randomValue(choices)
}

function resolved(schema: JsonObject | undefined): JsonObject | undefined {
  const ref = schema?.['ref']
  return typeof ref === 'string' ? builtinData.schemas().schemas[ref] : schema
}

function propertiesOf(schema: JsonObject | undefined): JsonObject | undefined {
  const properties = resolved(schema)?.['properties']
  return isJsonObject(properties ?? null) ? (properties as JsonObject) : undefined
}

/** All fields and items below an object, with their schemas. The name of an object stays. */
function placesOf(value: JsonValue, schema: JsonObject | undefined): Place[] {
  const known = resolved(schema)
  if (Array.isArray(value)) {
    const items = known?.['items'] as JsonObject | undefined
    return value.flatMap((item, index) => [
      { parent: value, key: String(index), schema: items },
      ...placesOf(item, items),
    ])
  }
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, item]) => {
    const inner = (propertiesOf(known)?.[key] ?? known?.['additionalProperties']) as
      JsonObject | undefined
    const below = placesOf(item, inner)
    return key === 'metadata' ? below : [{ parent: value, key, schema: inner }, ...below]
  })
}
