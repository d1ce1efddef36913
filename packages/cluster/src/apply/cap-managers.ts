import { unionOfAll, type FieldSet } from './fields/field-set.ts'
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
  /** The sets of each `ancient-changes`, which are united at the end. */
  const merged = new Map<string, FieldSet[]>()
  let count = updaters.length
  for (const id of updaters) {
    if (count <= maxUpdateManagers) break
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
    const sets = merged.get(bucket) ?? []
    const collected = owners.get(bucket) ?? owners.get(first)
    if (sets.length === 0 && collected !== undefined) sets.push(collected.fields)
    if (!owners.has(bucket)) owners.delete(first)
    sets.push(owner.fields)
    merged.set(bucket, sets)
    // In this order: if the bucket is itself the merged entry, a real server drops it.
    owners.set(bucket, owner)
    if (id === bucket) merged.delete(bucket)
    owners.delete(id)
    times.set(bucket, times.get(id))
    count -= 1
  }
  for (const [bucket, sets] of merged) {
    const owner = owners.get(bucket)
    if (owner !== undefined) owners.set(bucket, { ...owner, fields: unionOfAll(sets) })
  }
}
