import type { JsonObject } from 'setpoint/schema'
import { recordUpdate } from '../apply/index.ts'
import { storedText, type Registry, type ServedResource } from '../api/index.ts'
import { decodeTyped, toStoredForm } from '../codec/index.ts'
import { builtinData } from '../data/index.ts'
import { formatTime, keyOf, metadataOf } from '../object/index.ts'
import type { Store } from '../store/index.ts'
import type { Clock, Random } from 'setpoint/host'

/** What boot objects are made with. */
interface BootContext {
  readonly host: Clock & Random
  readonly store: Store
  readonly registry: Registry
  /** The certificate of the cluster's authority, which every namespace publishes. */
  readonly caCert: string
  /** Leave out what controllers make: this is the API server alone. */
  readonly isServerAlone: boolean
}

/** Values that the data leaves blank. */
const blanks: Readonly<Record<string, (context: BootContext) => string>> = {
  UID: ({ host }) => host.uuid(),
  TIME: ({ host }) => formatTime(host.now()),
  CERTIFICATE: ({ caCert }) => caCert,
  'CLUSTER-IP': () => '10.96.0.1',
}

/** Fills an empty store with what a fresh cluster holds. */
export function createBootObjects(context: BootContext): void {
  const { registry } = context
  for (const [path, objects] of Object.entries(builtinData.bootObjects().objects)) {
    const resource = registry.find(...resourcePath(path))
    // Leases are signs of life of processes that do not run here.
    if (resource === undefined || resource.kind === 'Lease') continue
    for (const blank of objects) {
      const value = filled(blank, context) as JsonObject
      if (!context.isServerAlone) createObject(context, resource, value)
      else if (!isMadeByController(value)) createObject(context, resource, asCreated(value))
    }
  }
  const statuses = registry.find('', 'v1', 'componentstatuses')
  if (statuses === undefined) return
  for (const value of componentStatuses) createObject(context, statuses, value)
}

function createObject(context: BootContext, resource: ServedResource, value: JsonObject): void {
  const { host, store } = context
  const { apiVersion, kind } = resource
  const { object: decoded } = decodeTyped({ apiVersion, kind, value })
  const now = formatTime(host.now())
  const object = recordUpdate({
    live: undefined,
    updated: { ...decoded, kind, apiVersion },
    schema: resource.applySchema(),
    schemaOfVersion: resource.applySchemaOf,
    by: { manager: 'kube-apiserver', apiVersion, subresource: '', timeSeconds: now },
    reset: resource.resetFields(''),
  })
  const metadata = metadataOf(object)
  metadata.uid = host.uuid()
  metadata.creationTimestamp = now
  delete metadata.resourceVersion
  const stored = toStoredForm(apiVersion, kind, object)
  store.put({
    bucket: resource.bucket,
    key: keyOf(resource.namespaced ? (metadata.namespace ?? '') : '', metadata.name ?? ''),
    expected: 0,
    schemaTag: resource.schemaTag,
    labels: metadata.labels,
    serialise: (revision) => storedText(stored, revision),
  })
}

/** The account and the root certificate of every namespace. */
function isMadeByController({ kind, metadata }: JsonObject): boolean {
  const { name } = metadata as { name: string }
  return (
    (kind === 'ServiceAccount' && name === 'default') ||
    (kind === 'ConfigMap' && name === 'kube-root-ca.crt')
  )
}

/** Roles that collect the rules of others are empty until a controller has done so. */
function asCreated(object: JsonObject): JsonObject {
  return object['aggregationRule'] === undefined ? object : { ...object, rules: null }
}

function unhealthy(name: string, port: number): JsonObject {
  const address = `127.0.0.1:${port}`
  const message = `Get "https://${address}/healthz": dial tcp ${address}: connect: connection refused`
  return { metadata: { name }, conditions: [{ type: 'Healthy', status: 'False', message }] }
}

/** What a server says about its neighbours: nobody listens at their ports here. */
const componentStatuses: readonly JsonObject[] = [
  unhealthy('controller-manager', 10_257),
  {
    metadata: { name: 'etcd-0' },
    conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }],
  },
  unhealthy('scheduler', 10_259),
]

function resourcePath(path: string): [string, string, string] {
  const parts = path.split('/')
  const [group, version, plural] = parts.length === 2 ? ['', ...parts] : parts
  return [group ?? '', version ?? '', plural ?? '']
}

function filled(value: unknown, context: BootContext): unknown {
  if (typeof value === 'string') return blanks[value]?.(context) ?? value
  if (Array.isArray(value)) return value.map((item) => filled(item, context))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, filled(item, context)]),
  )
}
