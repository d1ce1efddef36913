/** The Ready condition: one decision for all places that write a status. */
import { headline } from '../../errors/index.ts'
import { waitingFor, type ChildState } from '../children/child-state.ts'
import type { ChildDeclaration } from '../declare/operator-declaration.ts'
import type { StatedCondition } from '../declare/operator-types.ts'
import { when } from '../declare/when.ts'
import { failureReason, shortened } from '../failures/failure-text.ts'
import { isTransient } from '../failures/reconcile-errors.ts'

/** The input of the decision about Ready. */
interface ReadyFacts {
  /** The resource declares a Ready condition. */
  readonly isDeclared: boolean
  /** An operator of the resource fails. */
  readonly hasFailure: boolean
  /** A child of this operator failed. */
  readonly hasFailedChild: boolean
  /** The author states Ready, in `.status` or by `ctx.updateStatus`. */
  readonly isStated: boolean
  /** Another program sets Ready of this object. */
  readonly isLeftToOther: boolean
  /** No other operator of this process serves the resource. */
  readonly isOnlyOperator: boolean
  /** Every operator that serves the object has reconciled it. */
  readonly areFailuresKnown: boolean
  /** The Ready condition that the object has now reports a failure. */
  readonly reportsFailure: boolean
  /** The status is written at the end of a reconcile, not by `ctx.updateStatus` during it. */
  readonly isFinal: boolean
  /** The states of the children are known: in a reconcile of an object that is not terminating. */
  readonly areChildrenKnown: boolean
  /** A child may seem unready because its controller has not observed the latest change. */
  readonly areChildrenUnobserved: boolean
}

export type ReadyDecision =
  /** This operator does not set Ready. */
  | 'omit'
  /** Ready is False with the failures of all operators. */
  | 'failed'
  /** Ready has the value that the author states. */
  | 'stated'
  /** Ready follows from the children. */
  | 'derived'
  /** Ready stays as it is. The end of the reconcile, or the next one, decides. */
  | 'keep'

/** The first case that fits decides. */
const cases: readonly (readonly [fits: (facts: ReadyFacts) => boolean, ReadyDecision])[] = [
  [(facts) => !facts.isDeclared, 'omit'],
  [(facts) => facts.isLeftToOther && !facts.isStated, 'omit'],
  [(facts) => facts.hasFailure, 'failed'],
  [(facts) => facts.hasFailedChild && facts.isOnlyOperator, 'derived'],
  [(facts) => facts.isStated, 'stated'],
  // All operators have recovered, and none of them owns the shared condition.
  [(facts) => !facts.isOnlyOperator && facts.isFinal && hasRecovered(facts), 'derived'],
  [(facts) => !facts.isOnlyOperator, 'omit'],
  [(facts) => !facts.areChildrenKnown, 'keep'],
  [(facts) => !facts.isFinal && facts.areChildrenUnobserved, 'keep'],
  // A part of this reconcile that comes later may fail again.
  [(facts) => !facts.isFinal && facts.reportsFailure, 'keep'],
]

/** Decides how the Ready condition of an object is set. */
export function readyOf(facts: ReadyFacts): ReadyDecision {
  return cases.find(([fits]) => fits(facts))?.[1] ?? 'derived'
}

function hasRecovered({ reportsFailure, areFailuresKnown }: ReadyFacts): boolean {
  return reportsFailure && areFailuresKnown
}

/** The Ready condition after a failure. */
export function failedReady(failure: string): StatedCondition {
  return { status: 'False', reason: failureReason, message: shortened(failure) }
}

/** The Ready condition that follows from the children and from transient errors. */
export function derivedReady(
  children: readonly ChildDeclaration[],
  states: ReadonlyMap<string, ChildState>,
  error: unknown,
): StatedCondition {
  const waiting = children.flatMap((child) => waitingFor(child, states.get(child.name)) ?? [])
  const hasFailedChild = [...states.values()].some((state) => state.error !== undefined)
  const texts = waiting.length === 0 ? [] : [`waiting for ${waiting.join(', ')}`]
  // The message of a child's error is part of `waiting`.
  if (!hasFailedChild && isTransient(error)) texts.push(headline(error))
  const done = children.length === 0 ? 'reconciled' : 'all children are ready'
  return when(texts.length === 0, 'Reconciled', texts.length === 0 ? done : texts.join('; '))
}
