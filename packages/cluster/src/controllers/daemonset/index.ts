/**
 * daemonset/: a pod on every node that fits.
 *
 * `controllers/` starts the controller. `node-fitness` decides which nodes should have a pod,
 * `node-plan` which pods are missing or surplus, and `rolling-update` which old pods are replaced
 * now. `daemon-pod` builds the pod for a node, `daemon-revisions` manages the revisions.
 * `daemon-set-run` runs the steps in order and updates the status.
 *
 * As in a real cluster, a change of a node enqueues a set only when a pod has to be created or
 * deleted there. Until then the status can be stale.
 */
export { daemonSetController } from './daemon-set-controller.ts'
