/**
 * disruption/: how many pods may be missing.
 *
 * `workloads/` starts the controllers. `disruption-controller` counts for every PodDisruptionBudget, by the rules of
 * `budget-status` and with what the controllers of the pods want (`pod-controllers`). Evictions, which the API serves, take
 * from what it allows; it learns of them by the names of the pods they leave in the status.
 * `disruption-target-controller` takes back the announcement of an end that did not come.
 */
export { disruptionController } from './disruption-controller.ts'
export { disruptionTargetController } from './disruption-target-controller.ts'
