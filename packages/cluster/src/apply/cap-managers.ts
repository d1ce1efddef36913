import { unionOf } from './fields/field-set.ts'
import { managerId, secondsOf, type ManagedFields } from './managed-fields.ts'
import { compareBytes } from './fields/path-element.ts'

const maxUpdateManagers = 10

/**
 * Merges the oldest Update entries of each version into one `ancient-changes` until at most ten are
 * left, so that writes under new names do not grow the object without limit.
 */
export function capManagers({ owners, times }: ManagedFields): void {
  const updaters = [...owners].filter(([, owner]) => !owner.applied).map(([id]) => id)
  if (updaters.length <= maxUpdateManagers) return
  updaters.sort((a, b) => secondsOf(times.get(a)) - secondsOf(times.get(b)) || compareBytes(a, b))
  const firstOfVersion = new Map<string, string>()
  let count = updaters.length
  for (const id of updaters) {
    if (count <= maxUpdateManagers) return
    const owner = owners.get(id)
    if (owner === undefined) continue
    const { apiVersion } = owner
    const first = firstOfVersion.get(apiVersion)
    if (first === undefined) {
      firstOfVersion.set(apiVersion, id)
      continue
    }
    const bucket = managerId({
      manager: 'ancient-changes',
      operation: 'Update',
      apiVersion,
      subresource: '',
    })
    const collected = owners.get(bucket) ?? owners.get(first)
    if (!owners.has(bucket)) owners.delete(first)
    const fields = collected === undefined ? owner.fields : unionOf(owner.fields, collected.fields)
    // In this order: if the bucket is itself the merged entry, a real server drops it.
    owners.set(bucket, { ...owner, fields })
    owners.delete(id)
    times.set(bucket, times.get(id))
    count -= 1
  }
}
