import type { JsonObject } from 'setpoint/schema'
import { formatTime, keyOf, metadataOf, nameOf, namespaceOf } from '../../object/index.ts'
import type { ApiServer } from '../api-request.ts'
import { readObject } from '../object-text.ts'
import { commitPut, storedForm } from './commit.ts'
import { withManagedFields } from './field-manager.ts'

/** Who writes of the server's own accord. */
const itself = { name: 'system:apiserver', groups: ['system:masters'] }

/**
 * Writes the status of a stored object of a built-in kind, as a real server does when admission keeps
 * count of something. Nobody admits or validates it, and nothing can come in between.
 */
export function writeOwnStatus(server: ApiServer, bucket: string, object: JsonObject): void {
  const [group = '', plural = ''] = bucket.split('/')
  const resource = server.registry.findResource(group, plural)
  const stored = server.store.get(bucket, keyOf(namespaceOf(object), nameOf(object)))
  if (resource === undefined || stored === undefined) return
  const live = readObject(resource, stored)
  const { apiVersion, kind } = resource
  const updated = withManagedFields({ server }, resource, {
    live,
    updated: { kind, apiVersion, ...structuredClone(object) },
    manager: 'kube-apiserver',
    subresource: 'status',
  })
  const change = { object: updated, old: live, subresource: 'status' }
  const now = formatTime(server.host.now())
  resource.behaviour.prepareForUpdate(change, { now, user: itself, warn: () => undefined })
  metadataOf(updated).resourceVersion = String(stored.revision)
  const finished = storedForm(resource, updated)
  commitPut({ server }, { resource, object: finished, expected: stored.revision })
}
