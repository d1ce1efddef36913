/**
 * access/: the cluster that a command is about.
 *
 * `accessCluster` finds it as kubectl would, by the options that all such commands share. `agreeToWrites` asks a
 * person before the first write to a cluster that is not on this machine.
 *
 * It promises that no command writes to somebody else's cluster without a yes: from a person or by `--yes`.
 */
export {
  accessCluster,
  agreeToWrites,
  type ClusterAccess,
  clusterOptions,
  yesOption,
} from './access-cluster.ts'
