import * as z from 'zod'
import { isJsonObject, type JsonObject, type JsonValue, jsonEquals } from 'setpoint/schema'
import type { Mapping } from './mapping.ts'
import { depthOf, ProjectionError, removeCreated, setAt, valueAt } from './paths.ts'
import { type BoundContainer, itemsAt, type Place, placesIn, setItems } from './places.ts'

/** What a ServiceBinding projects into a workload. */
export interface Projection {
  readonly uid: string
  /** The name of the directory. */
  readonly name: string
  readonly secret: string
  readonly type?: string | undefined
  readonly provider?: string | undefined
  readonly env: readonly { readonly name: string; readonly key: string }[]
  /** The containers that are bound; all unless given. */
  readonly containers?: readonly string[] | undefined
}

/**
 * How a binding was projected, in an annotation of the workload: unbinding uses the same mapping,
 * even if it has changed since.
 */
const projectionRecord = z.object({
  mapping: z.object({
    annotations: z.string(),
    volumes: z.string(),
    containers: z.array(
      z.object({
        path: z.string(),
        name: z.string().optional(),
        env: z.string(),
        volumeMounts: z.string(),
      }),
    ),
  }),
  /** The names of the environment variables. */
  env: z.array(z.string()),
  /** What exists only for bindings: places by id, with the number of fields that existed before. */
  created: z.record(z.string(), z.number()),
})

type ProjectionRecord = z.infer<typeof projectionRecord>

const prefix = 'binding.setpoint.dev/'
const volumePrefix = 'servicebinding-'
const annotationsPath = ['metadata', 'annotations']
const rootName = 'SERVICE_BINDING_ROOT'
const rootDefault = '/bindings'

/** Whether a binding is projected into a workload. */
export function isProjected(workload: JsonObject, uid: string): boolean {
  return recordsOf(workload).has(uid)
}

/** The workload with a binding, instead of an earlier projection of the same binding. */
export function project(workload: JsonObject, binding: Projection, mapping: Mapping): JsonObject {
  const draft = unproject(workload, binding.uid)
  const { annotations, volumes, containers } = placesIn(draft, mapping)
  if (containers.length === 0) {
    const paths = mapping.containers.map(({ path }) => path).join(' and ')
    throw new ProjectionError('WorkloadNotBindable', `it has no containers at ${paths}`)
  }
  const others = recordsOf(draft)
  const created: Record<string, number> = {}
  const claim = ({ id, root, path }: Place): void => {
    const depth = createdFor(others, id) ?? depthOf(root, path)
    if (depth < path.length) created[id] = depth
  }
  const names = new Set([...others.values()].flatMap(({ env }) => env))
  for (const { name } of binding.env) names.add(name)
  const { containers: wanted } = binding
  const bound = containers.filter(
    ({ name }) => name === undefined || wanted?.includes(name) !== false,
  )
  for (const container of bound) {
    claim(container.env)
    claim(container.volumeMounts)
    const root = bindingRoot(container, others, created)
    addMount(container, binding, root)
    addEnv(container, binding, names)
  }
  if (bound.length > 0) {
    claim(volumes)
    setItems(volumes, sorted([...itemsAt(volumes), volumeOf(binding)], hasOurVolume))
  }
  const overrides = overridesOf(binding)
  if (overrides.length > 0) claim(annotations)
  for (const { annotation, value } of overrides) {
    setAt(draft, [...annotations.path, annotation], value)
  }
  const record = { mapping, env: binding.env.map(({ name }) => name), created }
  setAt(draft, [...annotationsPath, prefix + binding.uid], JSON.stringify(record))
  return draft
}

/** The workload without a binding. It is a copy, even if the binding is not projected. */
export function unproject(workload: JsonObject, uid: string): JsonObject {
  const draft = structuredClone(workload)
  const record = recordsOf(draft).get(uid)
  if (record === undefined) return draft
  removeKeys(draft, annotationsPath, [prefix + uid])
  removeCreated(draft, annotationsPath, 1)
  const others = recordsOf(draft)
  const { annotations, volumes, containers } = placesIn(draft, record.mapping)
  const isOurs = ({ name }: JsonObject): boolean => name === volumePrefix + uid
  removeItems(volumes, isOurs)
  for (const { env, volumeMounts } of containers) {
    removeItems(volumeMounts, isOurs)
    const isRoot = rootId(env) in record.created && createdFor(others, rootId(env)) === undefined
    removeItems(env, ({ name, value, valueFrom }) =>
      name === rootName
        ? isRoot && value === rootDefault
        : record.env.includes(textOf(name)) && valueFrom !== undefined,
    )
  }
  removeKeys(draft, annotations.path, [`${prefix}type-${uid}`, `${prefix}provider-${uid}`])
  const lists = containers.flatMap(({ env, volumeMounts }) => [env, volumeMounts])
  for (const { id, root, path } of [annotations, volumes, ...lists]) {
    const depth = record.created[id]
    if (depth !== undefined && createdFor(others, id) === undefined)
      removeCreated(root, path, depth)
  }
  return draft
}

/**
 * A new state of a workload with its lists in their current order, if only the order differs: an
 * item that another program added must not restart the pods.
 */
export function inOrderOf(before: JsonObject, after: JsonObject, mapping: Mapping): JsonObject {
  const draft = structuredClone(after)
  const known = new Map(listsIn(before, mapping).map((place) => [place.id, itemsAt(place)]))
  const ordered = (items: readonly JsonObject[]): unknown => sorted(items, () => true)
  for (const place of listsIn(draft, mapping)) {
    const items = known.get(place.id) ?? []
    if (jsonEquals(ordered(items), ordered(itemsAt(place)))) setItems(place, items)
  }
  return draft
}

function listsIn(workload: JsonObject, mapping: Mapping): Place[] {
  const { volumes, containers } = placesIn(workload, mapping)
  return [volumes, ...containers.flatMap(({ env, volumeMounts }) => [env, volumeMounts])]
}

/** The projections that a workload has, by the uids of their bindings. */
function recordsOf(workload: JsonObject): Map<string, ProjectionRecord> {
  const annotations = valueAt(workload, annotationsPath)
  const entries = Object.entries(isJsonObject(annotations) ? annotations : {})
  const ours = entries.filter(([name]) => name.startsWith(prefix))
  return new Map(ours.map(([name, text]) => [name.slice(prefix.length), recordIn(name, text)]))
}

/** Users can edit annotations. */
function recordIn(name: string, text: JsonValue): ProjectionRecord {
  try {
    return projectionRecord.parse(JSON.parse(textOf(text)))
  } catch {
    const problem = `the annotation ${name} was edited: restore it, or remove it and the volume of the binding`
    throw new ProjectionError('WorkloadInvalid', problem)
  }
}

/** How much of a place existed before the first binding, if a binding created it. */
function createdFor(
  records: ReadonlyMap<string, ProjectionRecord>,
  id: string,
): number | undefined {
  return [...records.values()].find(({ created }) => id in created)?.created[id]
}

function rootId({ id }: Place): string {
  return `${id} ${rootName}`
}

/** The directory of all bindings in a container. The variable is set if the container has none. */
function bindingRoot(
  { name, env }: BoundContainer,
  others: ReadonlyMap<string, ProjectionRecord>,
  created: Record<string, number>,
): string {
  const variables = itemsAt(env)
  const known = variables.find((variable) => variable['name'] === rootName)
  if (known === undefined || createdFor(others, rootId(env)) !== undefined) {
    created[rootId(env)] = 0
  }
  if (known === undefined) {
    setItems(env, [...variables, { name: rootName, value: rootDefault }])
    return rootDefault
  }
  const { value } = known
  if (typeof value === 'string' && value.startsWith('/') && !value.includes('$(')) return value
  const problem = `${rootName} of the container ${name ?? ''} must be a path without variables`
  throw new ProjectionError('WorkloadInvalid', problem)
}

function addMount({ name, volumeMounts }: BoundContainer, binding: Projection, root: string): void {
  const mounts = itemsAt(volumeMounts)
  const mountPath = `${root.replace(/\/+$/, '')}/${binding.name}`
  if (mounts.some((mount) => mount['mountPath'] === mountPath)) {
    const problem = `the container ${name ?? ''} already has a volume at ${mountPath}: set another spec.name`
    throw new ProjectionError('NameCollision', problem)
  }
  const mount = { name: volumePrefix + binding.uid, mountPath, readOnly: true }
  setItems(volumeMounts, sorted([...mounts, mount], hasOurVolume))
}

function addEnv(
  { name: container, env }: BoundContainer,
  binding: Projection,
  ours: ReadonlySet<string>,
): void {
  const variables = itemsAt(env)
  const overrides = overridesOf(binding)
  const added = binding.env.map(({ name, key }): JsonObject => {
    if (variables.some((variable) => variable['name'] === name)) {
      const problem = `the container ${container ?? ''} already has the environment variable ${name}`
      throw new ProjectionError('NameCollision', problem)
    }
    const override = overrides.find((one) => one.key === key)
    const secretKeyRef = { name: binding.secret, key }
    return { name, valueFrom: override === undefined ? { secretKeyRef } : fieldOf(override) }
  })
  setItems(
    env,
    sorted([...variables, ...added], ({ name }) => ours.has(textOf(name))),
  )
}

/** An entry of the Secret that the binding overrides, by an annotation of the pods. */
interface Override {
  readonly key: 'type' | 'provider'
  readonly annotation: string
  readonly value: string
}

function overridesOf({ uid, type, provider }: Projection): Override[] {
  const override = (key: Override['key'], value: string | undefined): Override[] =>
    value === undefined ? [] : [{ key, annotation: `${prefix}${key}-${uid}`, value }]
  return [...override('type', type), ...override('provider', provider)]
}

/** With the fields that a server would set, so that a projected workload does not change again. */
function fieldOf({ annotation }: Override): JsonObject {
  return { fieldRef: { apiVersion: 'v1', fieldPath: `metadata.annotations['${annotation}']` } }
}

/** The files of a binding. Later sources replace files of earlier ones. */
function volumeOf(binding: Projection): JsonObject {
  const files = overridesOf(binding).map((override) => ({
    downwardAPI: { items: [{ path: override.key, ...fieldOf(override) }] },
  }))
  const sources = [{ secret: { name: binding.secret } }, ...files]
  return { name: volumePrefix + binding.uid, projected: { defaultMode: 0o644, sources } }
}

/**
 * Sorts the items of bindings by name, among the positions that they have. So the result does not
 * depend on the order in which bindings are projected, and other items stay where they are.
 */
function sorted(
  items: readonly JsonObject[],
  isOurs: (item: JsonObject) => boolean,
): readonly JsonObject[] {
  const keyOf = (item: JsonObject): string => `${textOf(item['name'])} ${textOf(item['mountPath'])}`
  const ours = items.filter(isOurs).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  return items.map((item) => (isOurs(item) ? (ours.shift() ?? item) : item))
}

/** Whether a volume or a mount belongs to a binding. */
function hasOurVolume({ name }: JsonObject): boolean {
  return textOf(name).startsWith(volumePrefix)
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

function removeItems(place: Place, isRemoved: (item: JsonObject) => boolean): void {
  const items = itemsAt(place)
  if (items.some(isRemoved))
    setItems(
      place,
      items.filter((item) => !isRemoved(item)),
    )
}

function removeKeys(root: JsonObject, path: readonly string[], keys: readonly string[]): void {
  const object = valueAt(root, path)
  if (isJsonObject(object)) for (const key of keys) Reflect.deleteProperty(object, key)
}
