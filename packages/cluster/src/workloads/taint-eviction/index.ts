/**
 * workloads/taint-eviction/: pods must leave nodes whose taints they do not tolerate.
 *
 * `taintEvictionController` serves every pod on a node with a NoExecute taint: it goes at once, after the seconds that it
 * tolerates the taint, or never. workloads/ starts it. Who gives nodes their taints is no matter here: the node controller
 * does so when a node fails, people do when they want it empty.
 *
 * Promises: a pod is told once; an eviction that is no longer due is called off, and both are told as Events.
 */
export { taintEvictionController } from './taint-eviction-controller.ts'
