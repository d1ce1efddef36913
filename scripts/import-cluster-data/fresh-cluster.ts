import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { JsonObject } from 'setpoint/schema'
import { Registry, type ServedResource } from '../../packages/cluster/src/api/index.ts'
import { recordUpdate } from '../../packages/cluster/src/apply/index.ts'
import { decodeTyped, encodeJson, toStoredForm } from '../../packages/cluster/src/codec/index.ts'
import type { FreshObject } from '../../packages/cluster/src/data/index.ts'
import { keyOf, metadataOf } from '../../packages/cluster/src/object/index.ts'

/**
 * An object of a fresh real cluster, with TIME, UID, RV and CERTIFICATE instead of variable values.
 */
type Recorded = JsonObject & { metadata: { name: string; namespace?: string } }

/** By `v1/namespaces` or `group/version/resource`. */
type RecordedObjects = Readonly<Record<string, readonly Recorded[]>>

/** The recorded objects of a fresh real cluster. */
function recordedObjects(): RecordedObjects {
  const file = new URL('data/boot-objects.json.gz', import.meta.url)
  return (JSON.parse(gunzipSync(readFileSync(file)).toString()) as { objects: RecordedObjects })
    .objects
}

/**
 * The objects of a fresh cluster in their stored form, so that a cluster starts without decoding
 * some two hundred objects and computing their managedFields, which took most of the start time.
 */
export function freshClusterText(): string {
  const registry = new Registry()
  const objects = Object.entries(recordedObjects()).flatMap(([path, recorded]) => {
    const resource = registry.find(...resourcePath(path))
    // Leases are heartbeats of processes that do not run here.
    if (resource === undefined || resource.kind === 'Lease') return []
    return recorded.map((object) => freshObject(resource, completed(resource, object)))
  })
  const statuses = registry.find('', 'v1', 'componentstatuses')
  if (statuses === undefined) throw new Error('the resource componentstatuses is missing')
  objects.push(...componentStatuses.map((object) => freshObject(statuses, object)))
  return `[\n${objects.map((object) => JSON.stringify(object)).join(',\n')}\n]`
}

const classDescriptions: Readonly<Record<string, string>> = {
  'system-cluster-critical':
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  'system-node-critical':
    'Used for system critical pods that must not be moved from their current node.',
}

/** Restores values that the recording omitted as prose or as random values. */
function completed({ kind }: ServedResource, recorded: Recorded): Recorded {
  if (kind === 'PriorityClass') {
    return { ...recorded, description: classDescriptions[recorded.metadata.name] ?? '' }
  }
  if (kind !== 'Service') return recorded
  // The port of API servers, independent of load balancers.
  return JSON.parse(JSON.stringify(recorded).replaceAll('"PORT"', '6443')) as Recorded
}

function freshObject(resource: ServedResource, recorded: Recorded): FreshObject {
  const { namespace = '', name } = recorded.metadata
  const { labels } = metadataOf(recorded)
  return {
    bucket: resource.bucket,
    key: keyOf(resource.namespaced ? namespace : '', name),
    text: storedText(resource, recorded),
    ...(labels === undefined ? {} : { labels }),
    ...serverAlone(resource, recorded),
  }
}

/** The differences on a server without controllers. */
function serverAlone(
  resource: ServedResource,
  recorded: Recorded,
): Pick<FreshObject, 'serverAlone'> {
  const { name } = recorded.metadata
  const isMadeByController =
    (resource.kind === 'ServiceAccount' && name === 'default') ||
    (resource.kind === 'ConfigMap' && name === 'kube-root-ca.crt')
  if (isMadeByController) return { serverAlone: null }
  if (resource.kind === 'ServiceCIDR') {
    const { finalizers: _, ...metadata } = recorded.metadata as Recorded['metadata'] & JsonObject
    const text = storedText(resource, { ...recorded, metadata })
    return { serverAlone: text.replace('Kubernetes Service', 'Kubernetes default Service') }
  }
  if (recorded['aggregationRule'] === undefined) return {}
  // Aggregated roles are empty until a controller has filled them.
  return { serverAlone: storedText(resource, { ...recorded, rules: null }) }
}

const anyTime = '2026-01-01T00:00:00Z'

/** The text in the store, with the placeholders that a cluster fills when it starts. */
function storedText(resource: ServedResource, recorded: Recorded): string {
  const { apiVersion, kind } = resource
  const withTimes = JSON.stringify(recorded).replaceAll('"TIME"', `"${anyTime}"`)
  const value = JSON.parse(withTimes) as JsonObject
  const { object: decoded, unknownFields } = decodeTyped({ apiVersion, kind, value })
  if (unknownFields.length > 0) {
    throw new Error(
      `${kind} ${recorded.metadata.name} has fields of its own: ${unknownFields.join()}`,
    )
  }
  // The server adds the finalizer of a Namespace after it has recorded the owners of its fields.
  const { spec, ...rest } = decoded
  const isNamespace = kind === 'Namespace'
  const recordedFields = recordUpdate({
    live: undefined,
    updated: { ...(isNamespace ? rest : decoded), kind, apiVersion },
    schema: resource.applySchema(),
    schemaOfVersion: resource.applySchemaOf,
    by: { manager: 'kube-apiserver', apiVersion, subresource: '', timeSeconds: anyTime },
    reset: resource.resetFields(''),
  })
  const object = isNamespace && spec !== undefined ? { ...recordedFields, spec } : recordedFields
  const metadata = metadataOf(object)
  metadata.uid = 'UID'
  metadata.creationTimestamp = anyTime
  metadata.resourceVersion = 'REVISION'
  const { kind: _kind, apiVersion: _apiVersion, ...stored } = toStoredForm(apiVersion, kind, object)
  return encodeJson(stored).replaceAll(`"${anyTime}"`, '"TIME"').slice(1)
}

function resourcePath(path: string): [string, string, string] {
  const parts = path.split('/')
  const [group, version, plural] = parts.length === 2 ? ['', ...parts] : parts
  return [group ?? '', version ?? '', plural ?? '']
}

function unhealthy(name: string, port: number): Recorded {
  const address = `127.0.0.1:${port}`
  const message = `Get "https://${address}/healthz": dial tcp ${address}: connect: connection refused`
  return { metadata: { name }, conditions: [{ type: 'Healthy', status: 'False', message }] }
}

/** The status of components that do not run here: no process listens on their ports. */
const componentStatuses: readonly Recorded[] = [
  unhealthy('controller-manager', 10_257),
  {
    metadata: { name: 'etcd-0' },
    conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }],
  },
  unhealthy('scheduler', 10_259),
]
