import { clusterOptions, yesOption } from '../access/index.ts'
import type { CommandDeclaration } from '../command/index.ts'
import { timeoutOption } from '../deploy/duration-option.ts'
import { manifestFlags } from '../generate/manifest-flags.ts'
import { conflictsOption, dryRunOption, jsonOption, operatorsArgument } from './shared-options.ts'

/** Deploys operators to a cluster. */
export const deployCommand: CommandDeclaration = {
  name: 'deploy',
  summary: 'deploy the operators to a cluster: CRDs, namespace, RBAC, Deployment',
  details:
    'The objects are computed from the operators, not read from the files of `setpoint generate`. The changes are ' +
    'printed first. After applying them, the command waits until the pods are ready, and prints why if they do not ' +
    'become ready. RBAC objects, services and policies of an earlier deployment that are no longer needed are deleted. ' +
    'Operators with only policies have no Deployment and need no image. A cluster without the Prometheus Operator has no ' +
    'ServiceMonitors and PrometheusRules: these objects are skipped, which is printed.',
  arguments: [operatorsArgument],
  options: [
    ...manifestFlags,
    ...clusterOptions,
    { name: 'wait', summary: 'wait until the pods are ready; this is the default' },
    { name: 'no-wait', summary: 'do not wait until the pods are ready' },
    timeoutOption,
    dryRunOption,
    conflictsOption,
    yesOption,
    jsonOption,
  ],
  examples: [
    {
      command: 'setpoint deploy --image registry.example.com/app:1.2.0',
      what: 'deploy this image to the current cluster',
    },
    { command: 'setpoint deploy --dry-run', what: 'only print what would change' },
    {
      command: 'setpoint deploy --context production --yes',
      what: 'in CI, without a confirmation',
    },
  ],
  load: async () => (await import('../deploy/index.ts')).runDeploy,
}
