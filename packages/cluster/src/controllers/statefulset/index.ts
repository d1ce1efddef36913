/**
 * statefulset/: pods with stable names, an order and their own storage.
 *
 * `controllers/` starts the controller. `stateful-set-run` has the order of the steps: it creates
 * pods from the first ordinal to the last, and deletes and updates them from the last to the first.
 * `stateful-pod` builds the pod of an ordinal. `set-revision` builds a revision and its name, which
 * is the same as in a real cluster. `claim-owners` decides the owner references of claims.
 */
export { statefulSetController } from './stateful-set-controller.ts'
