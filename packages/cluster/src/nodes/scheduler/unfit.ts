/** Why a pod cannot run on a node. */
export interface Unfit {
  readonly reasons: readonly string[]
  /** Whether the removal of other pods could help. */
  readonly isResolvable: boolean
}

/** A reason that only a change of the node or the pod can remove. */
export function unfit(...reasons: string[]): Unfit {
  return { reasons, isResolvable: false }
}

/** A reason that the removal of other pods can remove. */
export function resolvable(...reasons: string[]): Unfit {
  return { reasons, isResolvable: true }
}
