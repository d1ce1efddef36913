import type { Scenario } from './scenario.ts'
import { autoscalerScenarios } from './scenarios/autoscalers.ts'
import { certificateScenarios } from './scenarios/certificates.ts'
import { clusterRoleScenarios } from './scenarios/cluster-roles.ts'
import { cronJobScenarios } from './scenarios/cron-jobs.ts'
import { daemonSetScenarios } from './scenarios/daemon-sets.ts'
import { deploymentScenarios } from './scenarios/deployments.ts'
import { disruptionBudgetScenarios } from './scenarios/disruption-budgets.ts'
import { garbageScenarios } from './scenarios/garbage.ts'
import { jobScenarios } from './scenarios/jobs.ts'
import { namespaceScenarios } from './scenarios/namespaces.ts'
import { nodeScenarios } from './scenarios/nodes.ts'
import { policyScenarios } from './scenarios/policies.ts'
import { quotaScenarios } from './scenarios/quotas.ts'
import { replicaSetScenarios } from './scenarios/replica-sets.ts'
import { serviceScenarios } from './scenarios/services.ts'
import { statefulSetScenarios } from './scenarios/stateful-sets.ts'
import { volumeScenarios } from './scenarios/volumes.ts'

/** All scenarios by subject. Recordings are stored per subject. */
export const allScenarios: Readonly<Record<string, readonly Scenario[]>> = {
  deployments: deploymentScenarios,
  'replica-sets': replicaSetScenarios,
  'stateful-sets': statefulSetScenarios,
  'daemon-sets': daemonSetScenarios,
  jobs: jobScenarios,
  'cron-jobs': cronJobScenarios,
  services: serviceScenarios,
  volumes: volumeScenarios,
  'disruption-budgets': disruptionBudgetScenarios,
  autoscalers: autoscalerScenarios,
  namespaces: namespaceScenarios,
  garbage: garbageScenarios,
  quotas: quotaScenarios,
  certificates: certificateScenarios,
  'cluster-roles': clusterRoleScenarios,
  nodes: nodeScenarios,
  policies: policyScenarios,
}
