/** Why a pod cannot run on a node. */
export interface Unfit {
  readonly reasons: readonly string[]
  /** Whether the departure of other pods could change that. */
  readonly isResolvable: boolean
}

/** A reason that only a change of the node or the pod can remove. */
export function unfit(...reasons: string[]): Unfit {
  return { reasons, isResolvable: false }
}

/** A reason that goes away when other pods do. */
export function crowded(...reasons: string[]): Unfit {
  return { reasons, isResolvable: true }
}
