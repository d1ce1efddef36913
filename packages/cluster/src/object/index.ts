/**
 * object/: helpers for all objects: metadata, names, conditions, and the resources of pods.
 *
 * Higher folders use these accessors instead of their own casts. `metadataOf` returns the object's
 * own metadata, not a copy: changing it changes the object.
 */
export { defaultGraceSeconds } from './default-grace-seconds.ts'
export {
  isTerminating,
  keyOf,
  metadataOf,
  nameOf,
  namespaceOf,
  nextGeneration,
} from './kube-object.ts'
export { formatTime } from './format-time.ts'
export { ownValue } from './own-value.ts'
export { containerResources, type ResourceQuantities, type PodResources } from './pod-resources.ts'
export { qosClassOf } from './qos-class.ts'
export { pathSegmentProblems } from './path-segment.ts'
export { randomSuffix } from './random-suffix.ts'
export { transitionTime, upsertCondition } from './upsert-condition.ts'
