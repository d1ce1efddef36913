import type { JsonValue } from 'setpoint/schema'
import { differenceOf, fieldSetOf, hasPath, isEmptySet } from './fields/field-set.ts'
import { noManagedFields, printManagedFields, parseManagedFields } from './managed-fields.ts'
import { fieldElement } from './fields/path-element.ts'

/** The path of the replicas in each version of a kind, as field names; null: it has no scale. */
export type ReplicasPaths = Readonly<Record<string, readonly string[] | null>>

const scaleVersion = 'autoscaling/v1'
const replicasOfScale = ['spec', 'replicas'].map(fieldElement)

function replicasPath(
  paths: ReplicasPaths,
  apiVersion: string,
): readonly string[] | null | undefined {
  const path = Object.hasOwn(paths, apiVersion) ? paths[apiVersion] : undefined
  return path === undefined || path === null ? path : path.map(fieldElement)
}

/** The managedFields of a Scale: the managers of the object that own its replicas. */
export function managersOfScale(
  managedFields: JsonValue | undefined,
  paths: ReplicasPaths,
): JsonValue[] | undefined {
  const { owners, times } = parseManagedFields(managedFields)
  const scale = noManagedFields()
  for (const [id, owner] of owners) {
    const path = replicasPath(paths, owner.apiVersion)
    if (path === undefined || path === null || !hasPath(owner.fields, path)) continue
    const fields = fieldSetOf([replicasOfScale])
    scale.owners.set(id, { ...owner, fields, apiVersion: scaleVersion })
    scale.times.set(id, times.get(id))
  }
  return printManagedFields(scale)
}

/** The managedFields after a write of a Scale, and those of its object. */
interface ScaleWrite {
  /** managedFields of the object before the write. */
  readonly parent: JsonValue | undefined
  /** managedFields of the Scale after the write. */
  readonly scale: JsonValue | undefined
  /** The version of the object's endpoint. */
  readonly apiVersion: string
  readonly paths: ReplicasPaths
}

/** The managedFields of the object after a write of its Scale. */
export function managersFromScale(write: ScaleWrite): JsonValue[] | undefined {
  const parent = parseManagedFields(write.parent)
  const scale = parseManagedFields(write.scale)
  const result = noManagedFields()
  for (const [id, owner] of parent.owners) {
    const path = replicasPath(write.paths, owner.apiVersion)
    if (path === undefined) continue
    let { fields } = owner
    if (path !== null && hasPath(fields, path)) {
      // A manager that is no longer in the Scale has lost the replicas.
      if (scale.owners.has(id)) scale.owners.delete(id)
      else fields = differenceOf(fields, fieldSetOf([path]))
    }
    if (isEmptySet(fields)) continue
    result.owners.set(id, { ...owner, fields })
    result.times.set(id, parent.times.get(id))
  }
  const own = replicasPath(write.paths, write.apiVersion)
  for (const [id, owner] of scale.owners) {
    if (!hasPath(owner.fields, replicasOfScale) || own === undefined || own === null) continue
    const fields = fieldSetOf([own])
    result.owners.set(id, { ...owner, fields, apiVersion: write.apiVersion })
    result.times.set(id, parent.times.get(id))
  }
  return printManagedFields(result)
}
