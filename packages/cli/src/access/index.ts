/**
 * access/: the cluster that a command uses.
 *
 * `accessCluster` finds it from the options that these commands share, or takes the cluster of a
 * running `setpoint dev`, or the one that kubectl would use.
 * `confirmWrites` asks for confirmation before the first write to a cluster that is not on this
 * machine.
 * `isAllowed` asks the cluster whether a user has a permission.
 *
 * It guarantees that no command writes to a remote cluster without a confirmation or `--yes`.
 */
export { answeringServer, devFolder, findDevKubeconfig, kubeconfigName } from './dev-kubeconfig.ts'
export {
  accessCluster,
  confirmWrites,
  type ClusterAccess,
  clusterOptions,
  yesOption,
} from './access-cluster.ts'
export { isAllowed, type Permission } from './is-allowed.ts'
export { webhookPortDefault, webhookUrl } from './webhook-url.ts'
