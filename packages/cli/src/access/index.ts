/**
 * access/: the cluster that a command uses.
 *
 * `accessCluster` finds it as kubectl does, from the options that these commands share.
 * `confirmWrites` asks for confirmation before the first write to a cluster that is not on this
 * machine.
 *
 * It guarantees that no command writes to a remote cluster without a confirmation or `--yes`.
 */
export {
  accessCluster,
  confirmWrites,
  type ClusterAccess,
  clusterOptions,
  yesOption,
} from './access-cluster.ts'
