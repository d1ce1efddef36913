import { clusterOptions, yesOption } from '../access/index.ts'
import type { CommandDeclaration } from '../command/index.ts'
import { conflictsOption, dryRunOption, jsonOption, operatorsArgument } from './shared-options.ts'

/** Installs CRDs in a cluster, which `setpoint run` requires. */
export const installCommand: CommandDeclaration = {
  name: 'install',
  summary: 'install the CRDs of the operators in a cluster',
  details:
    'The CRDs are generated from the operators and applied with server-side apply, field manager setpoint. The ' +
    'changes are printed first; for a cluster that is not on this machine the command asks for confirmation.',
  arguments: [operatorsArgument],
  options: [...clusterOptions, dryRunOption, conflictsOption, yesOption, jsonOption],
  examples: [
    { command: 'setpoint install', what: 'install the CRDs in the current cluster' },
    { command: 'setpoint install --dry-run', what: 'only print what would change' },
  ],
  load: async () => (await import('../deploy/index.ts')).runInstall,
}
