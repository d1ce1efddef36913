/** Why a pod cannot run on a node. */
export interface FilterFailure {
  readonly reasons: readonly string[]
  /** Whether the removal of other pods could help. */
  readonly isResolvable: boolean
}

/** A reason that only a change of the node or the pod can remove. */
export function filterFailure(...reasons: string[]): FilterFailure {
  return { reasons, isResolvable: false }
}

/** A reason that the removal of other pods can remove. */
export function resolvableFailure(...reasons: string[]): FilterFailure {
  return { reasons, isResolvable: true }
}
