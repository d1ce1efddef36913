import { checkNonnegativeFields } from '../fields/number-rules.ts'
import type { FieldPath } from '../go/field-path.ts'

interface ReplicaCounts<K extends string> {
  readonly nonnegative: readonly K[]
  readonly notAboveReplicas: readonly K[]
  /** How messages name the ready replicas; `readyReplicas` by default. */
  readonly readyName?: string
}

/** The counts in the status of ReplicaSets and ReplicationControllers. */
export const replicaSetCounts = {
  nonnegative: [
    'replicas',
    'fullyLabeledReplicas',
    'readyReplicas',
    'availableReplicas',
    'observedGeneration',
  ],
  notAboveReplicas: ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'],
} as const

type Counted = 'replicas' | 'availableReplicas' | 'readyReplicas'

/** Checks the counts of a status: not negative, and in the right relation to each other. */
export function checkReplicaCounts<K extends string>(
  status: { readonly [Key in K | Counted]?: number },
  { nonnegative, notAboveReplicas, readyName = 'readyReplicas' }: ReplicaCounts<K>,
  at: FieldPath,
): void {
  checkNonnegativeFields(status, nonnegative, at)
  checkNotAboveReplicas(status, notAboveReplicas, at)
  checkAvailableNotAboveReady(status, at, readyName)
}

/** Reports counts that exceed `replicas`, in the given order. */
function checkNotAboveReplicas<K extends string>(
  status: { readonly [Key in K | 'replicas']?: number },
  fields: readonly K[],
  at: FieldPath,
): void {
  const { replicas = 0 } = status
  for (const field of fields) {
    const count = status[field] ?? 0
    if (count <= replicas) continue
    at.child(field).invalid(count, 'cannot be greater than status.replicas')
  }
}

/** Available pods cannot outnumber ready ones. */
function checkAvailableNotAboveReady(
  status: { readonly availableReplicas?: number; readonly readyReplicas?: number },
  at: FieldPath,
  readyName: string,
): void {
  const { availableReplicas = 0, readyReplicas = 0 } = status
  if (availableReplicas <= readyReplicas) return
  at.child('availableReplicas').invalid(availableReplicas, `cannot be greater than ${readyName}`)
}

/** The collision count never decreases. */
export function checkNotDecremented(
  status: { readonly collisionCount?: number },
  old: { readonly collisionCount?: number },
  at: FieldPath,
): void {
  const { collisionCount: count } = status
  const before = old.collisionCount
  if (before === undefined || (count !== undefined && count >= before)) return
  at.child('collisionCount').invalid(count ?? 0, 'cannot be decremented')
}
