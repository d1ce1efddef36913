/**
 * daemonset/: a pod on every node that fits.
 *
 * `workloads/` starts the controller. `node-fitness` says which nodes should have a pod, `node-plan` what is missing or too
 * much there, `rolling-update` which old pods are replaced when, `daemon-pod` what a pod for a node looks like,
 * `daemon-revisions` which templates there were. `daemon-set-run` does it all in order and tells the status.
 *
 * As in a real cluster, a change of a node runs a set only when a pod of it has to come or go: a status may say for a
 * while what was true before.
 */
export { daemonSetController } from './daemon-set-controller.ts'
