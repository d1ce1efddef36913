/**
 * behaviour/: the behaviour of simulated pods.
 *
 * Tests define it by rules (`cluster.pods.behave('nginx:*', { readyAfter: '5s' })`) or by an
 * annotation of the pod. The kubelet reads it for every pod, and so do logs and exec.
 * `pod-behaviour.ts` has the types.
 *
 * Without any rule pods start, run and finish like healthy ones. A later rule overrides an earlier
 * one field by field. A changed rule takes effect immediately.
 */
export {
  type ContainerBehaviour,
  type ContainerExit,
  type ContainerRunOf,
  type ExecResult,
  type LogLine,
  type PodBehaviour,
  type PodView,
  type TimeWindow,
} from './pod-behaviour.ts'
export { PodBehaviours, type BehaviourOf, type ContainerRole } from './pod-behaviours.ts'
export type { ResolvedBehaviour, ResolvedExit } from './resolved-behaviour.ts'
export type { PodMatch } from './pod-match.ts'
