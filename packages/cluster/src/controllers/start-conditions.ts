import type { Frozen, Kind } from 'setpoint'
import { Node, Pod } from 'setpoint/kinds'
import { isTerminating } from '../object/index.ts'
import { hasDisruptionTarget } from './disruption/index.ts'
import { isTracked } from './job/index.ts'
import { isOutOfService } from './pod-gc/index.ts'
import { isFinished } from './pods/pod-state.ts'
import { evictingTaints } from './taint-eviction/index.ts'
import { hasEphemeralVolume } from './volumes/ephemeral-controller.ts'

/** What is stored, for start conditions. */
interface StoredState {
  /** Whether there is a cluster-scoped object of a kind and a name. */
  hasObject(kind: Kind, name: string): boolean
}

/** A change of an object of some kind. */
export interface ObjectChange<T> {
  readonly isDeletion: boolean
  readonly object: T
}

/**
 * Which objects give a controller work: without one it does not have to run, although its kind has
 * objects.
 */
export interface StartCondition {
  readonly kind: Kind
  readonly isMet: (change: ObjectChange<never>, state: StoredState) => boolean
}

function condition<T>(
  kind: Kind,
  isMet: (change: ObjectChange<T>, state: StoredState) => boolean,
): StartCondition {
  return { kind, isMet }
}

type PodChange = ObjectChange<Frozen<Pod>>
type NodeChange = ObjectChange<Frozen<Node>>

/**
 * The start conditions of controllers that most pods give no work, by name. A rollout changes pods
 * often, and each controller that runs handles each change.
 */
export const startConditions: ReadonlyMap<string, readonly StartCondition[]> = new Map([
  ['disruption-target', [condition(Pod, ({ object }: PodChange) => hasDisruptionTarget(object))]],
  [
    'ephemeral-volume-controller',
    [condition(Pod, ({ object }: PodChange) => hasEphemeralVolume(object))],
  ],
  ['job-orphan-pods', [condition(Pod, ({ object }: PodChange) => isTracked(object))]],
  [
    'pod-garbage-collector',
    [
      condition(Pod, ({ object }: PodChange, state) => {
        const { nodeName = '' } = object.spec
        if (nodeName === '') return isTerminating(object) || isFinished(object)
        // The kubelet removes a terminating pod that has finished.
        const isLeft = isFinished(object) && !isTerminating(object)
        return isLeft || !state.hasObject(Node, nodeName)
      }),
      condition(Node, ({ isDeletion, object }: NodeChange) => {
        return isDeletion || isOutOfService(object)
      }),
    ],
  ],
  [
    'taint-eviction-controller',
    [
      condition(Node, ({ object }: NodeChange) => {
        return evictingTaints(object.spec.taints).length > 0
      }),
    ],
  ],
])
