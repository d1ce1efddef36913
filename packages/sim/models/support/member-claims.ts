import type { Client } from 'setpoint/client'
import { PersistentVolumeClaim, Pod, StatefulSet } from 'setpoint/kinds'
import { deleteExactly } from './delete-exactly.ts'
import { keyOf, ordinalOf } from './member-set.ts'
import { isOwnedBy, type StoredObject } from './stored-object.ts'

/**
 * Deletes the claims of members that a scale-down has removed: those beyond the size whose pods are
 * gone. Everything is read from the API server, so the past does not matter. Returns whether none is
 * left.
 */
export async function deleteSurplusClaims(
  client: Client,
  owner: StoredObject,
  size: number,
): Promise<boolean> {
  const { namespace, name } = owner.metadata
  const set = await client.find(StatefulSet, keyOf(owner))
  if (set === undefined || !isOwnedBy(set, owner)) return false
  const kept = Math.max(size, set.spec.replicas ?? 1)
  const claims = await client.listAll(PersistentVolumeClaim, {
    namespace,
    labelSelector: { app: name },
  })
  const surplus = claims.filter(({ metadata }) => ordinalOf(metadata.name) >= kept)
  for (const object of surplus) {
    const pod = keyOf(owner, `${name}-${ordinalOf(object.metadata.name)}`)
    if ((await client.find(Pod, pod)) !== undefined) continue
    await deleteExactly(client, PersistentVolumeClaim, { object })
  }
  return surplus.length === 0
}
