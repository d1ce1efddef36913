import type { JsonObject } from 'setpoint/schema'
import { toStoredForm } from '../../codec/index.ts'
import { formatTime, keyOf, metadataOf, nameOf, namespaceOf } from '../../object/index.ts'
import type { StoreWrite } from '../../store/index.ts'
import type { ApiRequest } from '../api-request.ts'
import { readObject, storedText } from '../object-text.ts'
import type { ServedResource } from '../resources/served-resource.ts'
import { withManagedFields } from '../verbs/field-manager.ts'

type ServerRequest = Pick<ApiRequest, 'server'>

/** A service that is about to be stored or deleted. */
interface ServiceChange {
  readonly resource: ServedResource
  readonly object: JsonObject
  readonly isDeleted: boolean
}

/** Creates and deletes the `IPAddress` objects of services, as a real server does itself. */
export function keepServiceAddresses(request: ServerRequest, change: ServiceChange): void {
  const { resource, object, isDeleted } = change
  if (resource.group !== '' || resource.plural !== 'services') return
  const { registry, store } = request.server
  const addresses = registry.find('networking.k8s.io', 'v1', 'ipaddresses')
  if (addresses === undefined) return
  const before = store.get(resource.bucket, keyOf(namespaceOf(object), nameOf(object)))
  const held = before === undefined ? [] : addressesOf(readObject(resource, before))
  const desired = isDeleted ? [] : addressesOf(object)
  for (const address of held) {
    if (!desired.includes(address)) release(request, addresses, address)
  }
  for (const address of desired) {
    if (!held.includes(address)) take(request, addresses, { address, service: object })
  }
}

function addressesOf(service: JsonObject): string[] {
  const { clusterIPs = [] } = (service['spec'] ?? {}) as { clusterIPs?: string[] }
  return clusterIPs.filter((address) => address !== '' && address !== 'None')
}

function release({ server }: ServerRequest, resource: ServedResource, address: string): void {
  const stored = server.store.get(resource.bucket, address)
  if (stored === undefined) return
  const object = readObject(resource, stored)
  server.store.remove(storeWrite(resource, object, stored.revision))
}

function take(
  request: ServerRequest,
  resource: ServedResource,
  { address, service }: { readonly address: string; readonly service: JsonObject },
): void {
  const { store, host } = request.server
  if (store.get(resource.bucket, address) !== undefined) return
  const updated: JsonObject = {
    kind: resource.kind,
    apiVersion: resource.apiVersion,
    metadata: {
      name: address,
      uid: host.uuid(),
      creationTimestamp: formatTime(host.now()),
      labels: {
        'ipaddress.kubernetes.io/ip-family': address.includes(':') ? 'IPv6' : 'IPv4',
        'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
      },
    },
    spec: {
      parentRef: { resource: 'services', namespace: namespaceOf(service), name: nameOf(service) },
    },
  }
  const by = { manager: 'kube-apiserver', subresource: '' }
  const object = withManagedFields(request, resource, { live: undefined, updated, ...by })
  store.put(storeWrite(resource, object, 0))
}

function storeWrite(resource: ServedResource, object: JsonObject, expected: number): StoreWrite {
  const stored = toStoredForm(resource.apiVersion, resource.kind, object)
  return {
    bucket: resource.bucket,
    key: nameOf(stored),
    expected,
    schemaTag: resource.schemaTag,
    labels: metadataOf(stored).labels,
    serialise: (revision) => storedText(stored, revision),
  }
}
