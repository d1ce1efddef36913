import { clusterOptions, yesOption } from '../access/index.ts'
import type { CommandDeclaration } from '../command/index.ts'
import { conflictsOption, dryRunOption, jsonOption, operatorsArgument } from './shared-options.ts'

/** CRDs into a cluster: what `setpoint run` and people who try an operator need first. */
export const installCommand: CommandDeclaration = {
  name: 'install',
  summary: 'install the CRDs of the operators in a cluster',
  details:
    'The CRDs are made from the operators and applied on the server under the field manager setpoint. What would ' +
    'change is shown first; a cluster that is not on this machine is asked about.',
  arguments: [operatorsArgument],
  options: [...clusterOptions, dryRunOption, conflictsOption, yesOption, jsonOption],
  examples: [
    { command: 'setpoint install', what: 'install them in the current cluster' },
    { command: 'setpoint install --dry-run', what: 'only show what would change' },
  ],
  load: async () => (await import('../deploy/index.ts')).runInstall,
}
