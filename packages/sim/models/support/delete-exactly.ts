import type { Kind } from 'setpoint'
import type { Client, Propagation } from 'setpoint/client'
import type { StoredObject } from './stored-object.ts'

/** Deletes the object that was read, in the state in which it was read, and no other one. */
export async function deleteExactly(
  client: Client,
  kind: Kind,
  { object, propagation }: { readonly object: StoredObject; readonly propagation?: Propagation },
): Promise<void> {
  const { name, namespace, uid, resourceVersion, deletionTimestamp } = object.metadata
  if (deletionTimestamp !== undefined) return
  const preconditions = { uid, resourceVersion }
  await client.delete(kind, { name, namespace }, { preconditions, propagation })
}
