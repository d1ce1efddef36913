import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'

/**
 * The recorded answers contain what admission plugins and allocators add, which other folders do.
 * These, and nothing else, are left out of the comparison:
 *
 * - protection finalizers of volumes, claims and attribute classes, and the default storage class
 * - the not-ready taint of nodes
 * - priority, preemption policy, service account, token volume and default tolerations of pods
 * - addresses, families and node ports of services
 * - the user in requests for certificates
 */
export function withoutAdmission(object: JsonObject): JsonObject {
  const copy = structuredClone(object)
  const spec = isJsonObject(copy['spec']) ? copy['spec'] : {}
  const metadata = isJsonObject(copy['metadata']) ? copy['metadata'] : {}
  filterList(metadata, 'finalizers', (item) => {
    return typeof item !== 'string' || !/^kubernetes\.io\/(?:pv|pvc|vac)-protection$/.test(item)
  })
  switch (copy['kind']) {
    case 'Node':
      filterList(spec, 'taints', (item) => fieldOf(item, 'key') !== 'node.kubernetes.io/not-ready')
      break
    case 'Pod':
      podWithoutAdmission(spec)
      break
    case 'Service':
      serviceWithoutAllocation(spec)
      break
    case 'PersistentVolumeClaim':
      if (spec['storageClassName'] === 'standard') drop(spec, ['storageClassName'])
      break
    case 'CertificateSigningRequest':
      drop(spec, ['extra', 'groups', 'username', 'uid'])
      break
    default:
  }
  return copy
}

function podWithoutAdmission(spec: JsonObject): void {
  drop(spec, ['preemptionPolicy', 'priority', 'serviceAccount', 'serviceAccountName'])
  filterList(spec, 'tolerations', (item) => {
    const key = fieldOf(item, 'key')
    return !/^node\.kubernetes\.io\/(?:not-ready|unreachable|memory-pressure)$/.test(key)
  })
  const isOwn = (item: JsonValue): boolean => !fieldOf(item, 'name').startsWith('kube-api-access-')
  filterList(spec, 'volumes', isOwn)
  for (const list of ['containers', 'initContainers']) {
    for (const container of listOf(spec, list)) {
      if (isJsonObject(container)) filterList(container, 'volumeMounts', isOwn)
    }
  }
}

function serviceWithoutAllocation(spec: JsonObject): void {
  drop(spec, ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'healthCheckNodePort'])
  for (const port of listOf(spec, 'ports')) if (isJsonObject(port)) drop(port, ['nodePort'])
}

function drop(object: JsonObject, keys: readonly string[]): void {
  for (const key of keys) Reflect.deleteProperty(object, key)
}

function listOf(object: JsonObject, key: string): JsonValue[] {
  const value = object[key]
  return Array.isArray(value) ? value : []
}

function fieldOf(item: JsonValue, key: string): string {
  const value = isJsonObject(item) ? item[key] : undefined
  return typeof value === 'string' ? value : ''
}

function filterList(object: JsonObject, key: string, keep: (item: JsonValue) => boolean): void {
  const kept = listOf(object, key).filter(keep)
  if (kept.length > 0) object[key] = kept
  else Reflect.deleteProperty(object, key)
}
