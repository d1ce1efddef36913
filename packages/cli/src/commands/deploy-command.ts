import { clusterOptions, yesOption } from '../access/index.ts'
import type { CommandDeclaration } from '../command/index.ts'
import { timeoutOption } from '../deploy/duration-option.ts'
import { manifestFlags } from '../manifests/manifest-flags.ts'
import { conflictsOption, dryRunOption, jsonOption, operatorsArgument } from './shared-options.ts'

/** Operators into a cluster. */
export const deployCommand: CommandDeclaration = {
  name: 'deploy',
  summary: 'deploy the operators to a cluster: CRDs, namespace, RBAC, Deployment',
  details:
    'What is applied is made from the operators, not from the files of `setpoint generate`. What would change is ' +
    'shown first. Then it waits until the pods are ready, and says why if they are not. Rights and services of an ' +
    'earlier deployment that are not needed any more are removed.',
  arguments: [operatorsArgument],
  options: [
    ...manifestFlags,
    ...clusterOptions,
    { name: 'wait', summary: 'wait until the pods are ready; this is what it does anyway' },
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
    { command: 'setpoint deploy --dry-run', what: 'only show what would change' },
    {
      command: 'setpoint deploy --context production --yes',
      what: 'in CI, where nobody can be asked',
    },
  ],
  load: async () => (await import('../deploy/index.ts')).runDeploy,
}
