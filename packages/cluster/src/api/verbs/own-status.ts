import type { JsonObject } from 'setpoint/schema'
import { formatTime, keyOf, metadataOf, nameOf, namespaceOf } from '../../object/index.ts'
import type { ApiServer } from '../api-request.ts'
import { readObject } from '../object-text.ts'
import { commitPut, storedForm } from './commit.ts'
import { withManagedFields } from './field-manager.ts'

/** The user of writes by the server itself. */
const serverUser = { name: 'system:apiserver', groups: ['system:masters'] }

/**
 * Writes the status of a stored built-in object, as a real server does for the usage of quotas. The
 * write is neither admitted nor validated, and cannot conflict.
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
  resource.strategy.prepareForUpdate(change, {
    now,
    user: serverUser,
    newUid: () => server.host.uuid(),
    warn: () => undefined,
  })
  metadataOf(updated).resourceVersion = String(stored.revision)
  const finished = storedForm(resource, updated)
  commitPut({ server }, { resource, object: finished, expected: stored.revision })
}
