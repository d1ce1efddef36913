import type { Propagation } from 'setpoint/client'
import type { AnyObject, OwnerReference } from '../served-kinds.ts'
import { foregroundFinalizer, orphanFinalizer } from './owner-graph.ts'

/** The state of an owner: it exists, it is gone, or it waits for its dependents to be deleted. */
export type OwnerState = 'solid' | 'absent' | 'waiting'

type DependentAction =
  | { readonly type: 'keep' }
  /** It has other owners: the references to these are removed. */
  | { readonly type: 'release'; readonly owners: readonly OwnerReference[] }
  | { readonly type: 'delete'; readonly propagation: Propagation }

/** Decides what happens to an object, by the state of its owners. */
export function dependentAction(
  { metadata }: AnyObject,
  states: ReadonlyMap<OwnerReference, OwnerState>,
  { hasDependents }: { readonly hasDependents: boolean },
): DependentAction {
  const having = (state: OwnerState): OwnerReference[] =>
    [...states].filter(([, one]) => one === state).map(([owner]) => owner)
  const lost = [...having('absent'), ...having('waiting')]
  if (lost.length === 0) return { type: 'keep' }
  if (having('solid').length > 0) return { type: 'release', owners: lost }
  if (having('waiting').length > 0 && hasDependents) {
    return { type: 'delete', propagation: 'Foreground' }
  }
  const { finalizers = [] } = metadata
  if (finalizers.includes(orphanFinalizer)) return { type: 'delete', propagation: 'Orphan' }
  const isForeground = finalizers.includes(foregroundFinalizer)
  return { type: 'delete', propagation: isForeground ? 'Foreground' : 'Background' }
}
