import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { objectAt } from './field-access.ts'

type Path = readonly string[]

/** The path of the pod spec in each kind. */
const podSpecs: Readonly<Record<string, Path>> = {
  Pod: ['spec'],
  PodTemplate: ['template', 'spec'],
  ReplicationController: ['spec', 'template', 'spec'],
  Deployment: ['spec', 'template', 'spec'],
  ReplicaSet: ['spec', 'template', 'spec'],
  StatefulSet: ['spec', 'template', 'spec'],
  DaemonSet: ['spec', 'template', 'spec'],
  Job: ['spec', 'template', 'spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
}

/** A star stands for every item of a list, or every value of a map. */
const inPodSpecs: readonly Path[] = [
  ['schedulingGroup'],
  ['containers', '*', 'lifecycle', 'stopSignal'],
  ['initContainers', '*', 'lifecycle', 'stopSignal'],
  ['ephemeralContainers', '*', 'lifecycle', 'stopSignal'],
  ['volumes', '*', 'projected', 'sources', '*', 'clusterTrustBundle'],
  ['volumes', '*', 'projected', 'sources', '*', 'podCertificate'],
]

const inKinds: Readonly<Record<string, readonly Path[]>> = {
  StatefulSet: [['spec', 'updateStrategy', 'rollingUpdate', 'maxUnavailable']],
  Lease: [
    ['spec', 'strategy'],
    ['spec', 'preferredHolder'],
  ],
  CSIDriver: [['spec', 'preventPodSchedulingIfMissing']],
  ResourceSlice: [
    ['spec', 'devices', '*', 'nodeAllocatableResourceMappings'],
    ['spec', 'devices', '*', 'attributes', '*', 'bools'],
    ['spec', 'devices', '*', 'attributes', '*', 'ints'],
    ['spec', 'devices', '*', 'attributes', '*', 'strings'],
    ['spec', 'devices', '*', 'attributes', '*', 'versions'],
  ],
  Node: [
    ['spec', 'configSource'],
    ['status', 'config'],
  ],
}

const pathsOf = new Map<string, readonly Path[]>()
for (const kind of new Set([...Object.keys(podSpecs), ...Object.keys(inKinds)])) {
  const prefix = podSpecs[kind]
  const ofPods = prefix === undefined ? [] : inPodSpecs.map((path) => [...prefix, ...path])
  pathsOf.set(kind, [...ofPods, ...(inKinds[kind] ?? [])])
}

/**
 * Removes fields of feature gates that are off by default in this release, in place. An object that
 * already has such a field keeps it.
 */
export function dropDisabledFields(kind: string, object: JsonObject, old?: JsonObject): void {
  for (const path of pathsOf.get(kind) ?? []) {
    if (old === undefined || holdersOf(old, path).length === 0) dropAt(object, path)
  }
}

/** The objects that have the last field of a path. */
function holdersOf(object: JsonObject, path: Path): JsonObject[] {
  let values: JsonValue[] = [object]
  for (const key of path.slice(0, -1)) {
    values = values.flatMap((value) => {
      if (key === '*') return typeof value === 'object' ? Object.values(value ?? {}) : []
      return isJsonObject(value) && Object.hasOwn(value, key) ? [value[key] as JsonValue] : []
    })
  }
  const field = path.at(-1) ?? ''
  return values.filter(isJsonObject).filter((holder) => Object.hasOwn(holder, field))
}

function dropAt(object: JsonObject, path: Path): void {
  const holders = holdersOf(object, path)
  if (holders.length === 0) return
  for (const holder of holders) Reflect.deleteProperty(holder, path.at(-1) ?? '')
  if (path.at(-2) === 'lifecycle') dropEmptied(object, path.slice(0, -1), new Set(holders))
}

/** A lifecycle that contained only a disabled field is removed; an empty one is kept. */
function dropEmptied(object: JsonObject, path: Path, emptied: ReadonlySet<JsonValue>): void {
  const field = path.at(-1) ?? ''
  for (const holder of holdersOf(object, path)) {
    const value = objectAt(holder, field)
    if (emptied.has(value) && Object.keys(value).length === 0) Reflect.deleteProperty(holder, field)
  }
}
