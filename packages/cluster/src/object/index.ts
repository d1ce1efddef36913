/**
 * object/: what the server knows of any object: its metadata, its name, and what a pod takes.
 *
 * Everything above uses these few accessors instead of casts of its own. They are views, not copies:
 * what `metadataOf` returns is the object's own metadata, and changing it changes the object.
 */
export {
  isTerminating,
  keyOf,
  metadataOf,
  nameOf,
  namespaceOf,
  nextGeneration,
} from './kube-object.ts'
export { formatTime } from './format-time.ts'
export { containerAmounts, type Amounts, type PodResources } from './pod-amounts.ts'
export { qosClassOf } from './qos-class.ts'
export { randomSuffix } from './random-suffix.ts'
export { transitionTime, upsertCondition } from './upsert-condition.ts'
