import type { ClusterSnapshot } from '@setpoint/cluster'
import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'

/**
 * The objects of a cluster by a name that does not depend on chance, each as the texts of its
 * fields by path. Two runs of the same workload have the same state if the program behaves the same.
 */
export type CanonicalState = ReadonlyMap<string, ReadonlyMap<string, string>>

/** Objects that report or coordinate, and the ones that controllers of Kubernetes make. */
const ignoredBuckets =
  /^(\/events|events\.k8s\.io\/|coordination\.k8s\.io\/|\/nodes$|\/endpoints$|discovery\.k8s\.io\/|apps\/controllerrevisions|networking\.k8s\.io\/ipaddresses$|apiextensions\.k8s\.io\/|apiregistration\.k8s\.io\/|flowcontrol|storage\.k8s\.io\/|\/persistentvolumes$)/

/** Fields that differ in every run, or that the server chooses. */
const ignoredFields = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'managedFields',
  'generation',
  'selfLink',
  'clusterIP',
  'clusterIPs',
  'podIP',
  'podIPs',
  'hostIP',
  'hostIPs',
  'nodeName',
  'nodePort',
  'volumeName',
  'containerID',
  'lastTransitionTime',
  'lastUpdateTime',
  'lastProbeTime',
  'lastHeartbeatTime',
  'startTime',
  'completionTime',
  'startedAt',
  'finishedAt',
  'observedGeneration',
  'message',
])

/** The state of a cluster without the objects of another checkpoint, which existed before. */
export function canonicalState(
  snapshot: ClusterSnapshot,
  existing: ReadonlySet<string>,
): CanonicalState {
  const texts = new Map<string, Map<string, string>[]>()
  for (const [bucket, objects] of Object.entries(snapshot.buckets)) {
    if (ignoredBuckets.test(bucket)) continue
    for (const { key, text } of objects) {
      if (existing.has(`${bucket} ${key}`)) continue
      const object = JSON.parse(`{${text}`) as JsonObject
      if (isMadeByWorkload(object)) continue
      const name = `${bucket} ${logicalKey(key, object)}`
      const fields = new Map<string, string>()
      addFields(fields, '', contentOf(object))
      texts.set(name, [...(texts.get(name) ?? []), fields])
    }
  }
  return new Map(
    [...texts].flatMap(([name, all]) => {
      if (all.length === 1) return [[name, all[0] ?? new Map<string, string>()] as const]
      const ordered = all.toSorted((left, right) => (textOf(left) < textOf(right) ? -1 : 1))
      return ordered.map((fields, index) => [`${name} #${index + 1}`, fields] as const)
    }),
  )
}

/** The objects of a checkpoint, by bucket and key. */
export function keysIn(snapshot: ClusterSnapshot): Set<string> {
  return new Set(
    Object.entries(snapshot.buckets).flatMap(([bucket, objects]) =>
      objects.map(({ key }) => `${bucket} ${key}`),
    ),
  )
}

/** The kinds whose controllers make objects of their own. */
const workloads: ReadonlySet<unknown> = new Set([
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
])

/** What the controllers of Kubernetes make of an object is visible in the status of that object. */
function isMadeByWorkload({ metadata }: JsonObject): boolean {
  const owners = isJsonObject(metadata) ? metadata['ownerReferences'] : undefined
  return (
    Array.isArray(owners) &&
    owners.some((owner) => isJsonObject(owner) && workloads.has(owner['kind']))
  )
}

function logicalKey(key: string, { metadata }: JsonObject): string {
  const generateName = isJsonObject(metadata) ? metadata['generateName'] : undefined
  if (typeof generateName !== 'string' || generateName === '') return key
  const namespace = key.includes('/') ? key.slice(0, key.indexOf('/') + 1) : ''
  return `${namespace}${generateName}*`
}

/** What is compared: of the metadata labels, annotations, owners, finalizers and the deletion. */
function contentOf({ metadata, status, ...rest }: JsonObject): JsonObject {
  const known: JsonObject = isJsonObject(metadata) ? metadata : {}
  const { labels = {}, annotations = {}, finalizers = [], ownerReferences = [] } = known
  const owners = Array.isArray(ownerReferences)
    ? ownerReferences.filter(isJsonObject).map(({ kind, name }) => ({ kind, name }))
    : []
  return {
    metadata: {
      labels,
      annotations: isJsonObject(annotations) ? ownAnnotations(annotations) : {},
      finalizers,
      owners: owners as unknown as JsonValue,
      ...(known['deletionTimestamp'] === undefined ? {} : { terminating: true }),
    },
    ...rest,
    ...(isJsonObject(status) ? { status } : {}),
  }
}

/** Setpoint's memory has uids and hashes of them, and Deployments count their revisions. */
function ownAnnotations(annotations: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(annotations).filter(
      ([name]) => !/^(setpoint\.dev|deployment\.kubernetes\.io)\//.test(name),
    ),
  )
}

function addFields(fields: Map<string, string>, path: string, value: JsonValue | undefined): void {
  if (isJsonObject(value)) {
    for (const [name, field] of Object.entries(value)) {
      if (!ignoredFields.has(name)) addFields(fields, path === '' ? name : `${path}.${name}`, field)
    }
  } else if (Array.isArray(value)) {
    value.forEach((item: JsonValue, index) =>
      addFields(fields, `${path}[${itemKey(item) ?? index}]`, item),
    )
  } else if (value !== undefined) fields.set(path, JSON.stringify(value))
}

/** Conditions and containers are known by their type or name: their order means nothing. */
function itemKey(item: JsonValue): string | undefined {
  if (!isJsonObject(item)) return undefined
  const key = item['type'] ?? item['name']
  return typeof key === 'string' ? key : undefined
}

function textOf(fields: ReadonlyMap<string, string>): string {
  return [...fields].map(([path, text]) => `${path}=${text}`).join('\n')
}
