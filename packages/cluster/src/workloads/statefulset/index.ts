/**
 * statefulset/: pods with names, an order and storage of their own.
 *
 * `workloads/` starts the controller. `stateful-set-run` is the order of things: pods from the first to the last, removals
 * and updates from the last to the first. `stateful-pod` knows what makes a pod that of its place, `set-revision` what a
 * revision is and how it is called (the same name that a real cluster gives it), `claim-owners` with whom claims go.
 */
export { statefulSetController } from './stateful-set-controller.ts'
