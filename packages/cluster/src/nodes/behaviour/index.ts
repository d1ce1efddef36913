/**
 * behaviour/: what pods do in place of real processes.
 *
 * Tests say it by rules (`cluster.pods.behave('nginx:*', { readyAfter: '5s' })`) or by an annotation of the pod; the
 * kubelet asks for every pod it serves, the log and exec ask too. `pod-behaviour.ts` is the vocabulary.
 *
 * Promises: without any rule pods start, run and end as one expects of healthy ones; a later rule wins over an earlier
 * one field by field; a rule that is changed counts at once.
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
