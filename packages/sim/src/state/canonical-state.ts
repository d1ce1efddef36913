import type { ClusterSnapshot } from '@setpoint/cluster'
import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { autoscaledIn, withoutReplicas } from './autoscaled.ts'
import { logicalName, type RandomNames } from './random-names.ts'

/** An object without what chance or the server decides. */
interface CanonicalObject {
  /** Differs in every run. It shows whether the object was replaced since another state. */
  readonly uid: string
  /** The texts of its fields, by path. */
  readonly fields: ReadonlyMap<string, string>
}

/**
 * The objects of a cluster by a name that does not depend on chance. Two runs of the same workload
 * have the same state if the program behaves the same.
 */
export type CanonicalState = ReadonlyMap<string, CanonicalObject>

/** Objects that report or coordinate, and the ones that controllers of Kubernetes make. */
const ignoredBuckets =
  /^(\/events|events\.k8s\.io\/|coordination\.k8s\.io\/|\/nodes$|\/endpoints$|discovery\.k8s\.io\/|apps\/controllerrevisions|networking\.k8s\.io\/ipaddresses$|apiextensions\.k8s\.io\/|apiregistration\.k8s\.io\/|flowcontrol|storage\.k8s\.io\/|\/persistentvolumes$)/

/** Objects of the cluster itself, such as the certificate of its authority, which is a new one. */
const ofCluster = /^kube-|\/kube-root-ca\.crt$/

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
  // A StatefulSet that cannot be rolled out still counts pods of the revision that worked last.
  'currentRevision',
  'updateRevision',
  'currentReplicas',
])

/**
 * The state of a cluster and of external systems. Of what existed before, it has the samples in
 * namespaces, and what was changed.
 */
export function canonicalState(
  snapshot: ClusterSnapshot,
  { existing, randomNames }: Naming,
  external: ReadonlyMap<string, JsonValue> = new Map(),
): CanonicalState {
  const found = new Map<string, CanonicalObject[]>()
  const names = namesByUid(snapshot, existing)
  const autoscaled = autoscaledIn(snapshot)
  for (const [bucket, objects] of Object.entries(snapshot.buckets)) {
    if (ignoredBuckets.test(bucket)) continue
    for (const { key, revision, text } of objects) {
      const known = existing.get(`${bucket} ${key}`)
      if (known !== undefined && (ofCluster.test(key) || isUnchanged(key, known, revision)))
        continue
      const object = JSON.parse(`{${text}`) as JsonObject
      if (isMadeByWorkload(bucket, object) || isExpiring(bucket, object)) continue
      const name = logicalName(`${bucket} ${logicalKey(key, object)}`, randomNames)
      const fields = new Map<string, string>()
      addFields(fields, { path: '', value: contentOf(object, names), names })
      // Which Jobs of a CronJob run, and since when, is a matter of time.
      if (bucket === 'batch/cronjobs') withoutStatus(fields)
      if (autoscaled.has(`${bucket} ${key}`)) withoutReplicas(fields)
      found.set(name, [...(found.get(name) ?? []), { uid: uidOf(object), fields }])
    }
  }
  for (const [name, value] of external) {
    const fields = new Map<string, string>()
    addFields(fields, { path: '', value, names })
    const key = `external ${withoutUids(name, names)}`
    found.set(key, [...(found.get(key) ?? []), { uid: '', fields }])
  }
  return new Map(
    [...found].flatMap(([name, all]) => {
      if (all.length === 1) return all.map((object) => [name, object] as const)
      const ordered = all.toSorted((left, right) => (textOf(left) < textOf(right) ? -1 : 1))
      return ordered.map((object, index) => [`${name} #${index + 1}`, object] as const)
    }),
  )
}

/** What a name is compared as. */
export interface Naming {
  /** The objects before the workload. Those of the cluster itself are not part of the state. */
  readonly existing: Existing
  readonly randomNames: RandomNames
}

/** Objects without a namespace are many, and rarely ever changed. */
function isUnchanged(key: string, known: number, revision: number): boolean {
  return known === revision && !key.includes('/')
}

/** The revisions of the objects before the workload, by bucket and key. */
type Existing = ReadonlyMap<string, number>

export function existingIn(snapshot: ClusterSnapshot): Existing {
  return new Map(
    Object.entries(snapshot.buckets).flatMap(([bucket, objects]) =>
      objects.map(({ key, revision }) => [`${bucket} ${key}`, revision] as const),
    ),
  )
}

function withoutStatus(fields: Map<string, string>): void {
  for (const field of fields.keys()) if (field.startsWith('status.')) fields.delete(field)
}

function uidOf({ metadata }: JsonObject): string {
  const uid = isJsonObject(metadata) ? metadata['uid'] : undefined
  return typeof uid === 'string' ? uid : ''
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

/**
 * What the controllers of Kubernetes make of an object is visible in the status of that object.
 * Claims are an exception: programs resize and delete them.
 */
function isMadeByWorkload(bucket: string, { metadata }: JsonObject): boolean {
  if (bucket === '/persistentvolumeclaims') return false
  const owners = isJsonObject(metadata) ? metadata['ownerReferences'] : undefined
  return (
    Array.isArray(owners) &&
    owners.some((owner) => isJsonObject(owner) && workloads.has(owner['kind']))
  )
}

/** Kubernetes deletes a finished Job after its time to live: whether it exists is a matter of time. */
function isExpiring(bucket: string, { spec, status }: JsonObject): boolean {
  const isFinished =
    isJsonObject(status) && Number(status['succeeded'] ?? status['failed'] ?? 0) > 0
  return (
    bucket === 'batch/jobs' && isJsonObject(spec) && 'ttlSecondsAfterFinished' in spec && isFinished
  )
}

function logicalKey(key: string, { metadata }: JsonObject): string {
  const generateName = isJsonObject(metadata) ? metadata['generateName'] : undefined
  if (typeof generateName !== 'string' || generateName === '') return key
  const namespace = key.includes('/') ? key.slice(0, key.indexOf('/') + 1) : ''
  return `${namespace}${generateName}*`
}

/** What is compared: of the metadata labels, annotations, owners, finalizers and the deletion. */
function contentOf({ metadata, status, ...rest }: JsonObject, names: Names): JsonObject {
  const known: JsonObject = isJsonObject(metadata) ? metadata : {}
  const { labels = {}, annotations = {}, finalizers = [], ownerReferences = [] } = known
  const owners = Array.isArray(ownerReferences)
    ? ownerReferences.filter(isJsonObject).map(({ kind, name }) => ({ kind, name }))
    : []
  const owner = Array.isArray(ownerReferences) ? ownerReferences.find(isJsonObject) : undefined
  const ownerUid = owner?.['uid']
  const generation = typeof ownerUid === 'string' ? names.get(ownerUid)?.generation : undefined
  return {
    metadata: {
      labels: isJsonObject(labels) ? withoutGeneration(labels, generation) : {},
      annotations: isJsonObject(annotations)
        ? withoutGeneration(ownAnnotations(annotations), generation)
        : {},
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
      ([name]) =>
        !/^(setpoint\.dev|simulation\.setpoint\.dev|deployment\.kubernetes\.io)\//.test(name),
    ),
  )
}

/** Which generation of its owner an object is made for says how often the owner was changed. */
function withoutGeneration(texts: JsonObject, generation: string | undefined): JsonObject {
  return Object.fromEntries(
    Object.entries(texts).map(([name, value]) => {
      const isCurrent = /generation/i.test(name) && value === generation
      return [name, isCurrent ? '(the current one)' : value]
    }),
  )
}

/** A value to be added to the fields of an object. */
interface FieldValue {
  readonly path: string
  readonly value: JsonValue | undefined
  readonly names: Names
}

/** The names and generations of objects by their uids. */
type Names = ReadonlyMap<string, { readonly name: string; readonly generation: string | undefined }>

function addFields(fields: Map<string, string>, { path, value, names }: FieldValue): void {
  if (isJsonObject(value)) {
    for (const [name, field] of Object.entries(value)) {
      if (ignoredFields.has(name)) continue
      const own = withoutUids(name, names)
      addFields(fields, { path: path === '' ? own : `${path}.${own}`, value: field, names })
    }
  } else if (Array.isArray(value)) {
    value.forEach((item: JsonValue, index) =>
      addFields(fields, { path: `${path}[${itemKey(item, names) ?? index}]`, value: item, names }),
    )
  } else if (value !== undefined) {
    fields.set(path, withoutUids(withoutTokenVolumes(JSON.stringify(value)), names))
  }
}

/** The API server gives each pod a volume with a random name for the token of its account. */
function withoutTokenVolumes(text: string): string {
  return text.replace(/\bkube-api-access-[a-z0-9]{5}\b/, 'kube-api-access-*')
}

const uids = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g

/** A uid is chance. What it is the uid of is not. */
function withoutUids(text: string, names: Names): string {
  return text.length < 36
    ? text
    : text.replace(uids, (uid) => `(uid of ${names.get(uid)?.name ?? 'another object'})`)
}

function namesByUid(snapshot: ClusterSnapshot, existing: Existing): Names {
  const names = new Map<string, { name: string; generation: string | undefined }>()
  for (const [bucket, objects] of Object.entries(snapshot.buckets)) {
    for (const { key, text } of objects) {
      if (existing.has(`${bucket} ${key}`)) continue
      const uid = ownUid(text)
      // The metadata comes first.
      const generation = /"generation":(\d+)/.exec(text)?.[1]
      if (uid !== undefined) names.set(uid, { name: `${bucket} ${key}`, generation })
    }
  }
  return names
}

/** The uid of a stored object. Custom resources have their fields in the order of the alphabet. */
function ownUid(text: string): string | undefined {
  const found = /"resourceVersion":"\d+","uid":"([^"]+)"|"uid":"([^"]+)","resourceVersion":"/.exec(
    text,
  )
  return found?.[1] ?? found?.[2]
}

/** Conditions and containers are known by their type or name: their order means nothing. */
function itemKey(item: JsonValue, names: Names): string | undefined {
  if (!isJsonObject(item)) return undefined
  const key = item['type'] ?? item['name']
  return typeof key === 'string' ? withoutUids(withoutTokenVolumes(key), names) : undefined
}

/** The content of one stored object, without what chance or the server decides. */
export function canonicalText(text: string): string {
  return textOf({ fields: canonicalFields(text) })
}

/** The fields of one stored object by their paths, without what chance or the server decides. */
export function canonicalFields(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  const value = contentOf(JSON.parse(`{${text}`) as JsonObject, new Map())
  addFields(fields, { path: '', value, names: new Map() })
  return fields
}

/** Whether a resource only reports or coordinates, or belongs to the cluster itself. */
export function isIgnored(bucket: string): boolean {
  return ignoredBuckets.test(bucket)
}

function textOf({ fields }: Pick<CanonicalObject, 'fields'>): string {
  return [...fields].map(([path, text]) => `${path}=${text}`).join('\n')
}
