/**
 * disruption/: PodDisruptionBudgets.
 *
 * `controllers/` starts the controllers. `disruption-controller` computes the status of every budget
 * by the rules of `budget-status`, with the replicas of the pods' controllers (`pod-controllers`).
 * The API server's eviction subresource decrements the allowed disruptions and records the evicted
 * pods in the status. `disruption-target-controller` resets the DisruptionTarget condition of pods
 * that were not deleted.
 */
export { disruptionController } from './disruption-controller.ts'
export { disruptionTargetController, hasDisruptionTarget } from './disruption-target-controller.ts'
