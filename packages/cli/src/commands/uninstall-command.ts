import { clusterOptions, yesOption } from '../access/index.ts'
import type { CommandDeclaration } from '../command/index.ts'
import { timeoutOption } from '../deploy/duration-option.ts'
import {
  deleteObjectsOption,
  dryRunOption,
  jsonOption,
  operatorsArgument,
} from './shared-options.ts'

/** CRDs out of a cluster. */
export const uninstallCommand: CommandDeclaration = {
  name: 'uninstall',
  summary: 'remove the CRDs of the operators from a cluster',
  details:
    'A CRD takes its objects with it, so one that still has objects is refused. With --delete-objects they are ' +
    'deleted first; if they have finalizers, their operator has to run for that.',
  arguments: [operatorsArgument],
  options: [
    ...clusterOptions,
    deleteObjectsOption,
    timeoutOption,
    dryRunOption,
    yesOption,
    jsonOption,
  ],
  examples: [
    { command: 'setpoint uninstall', what: 'remove the CRDs if nobody uses them' },
    { command: 'setpoint uninstall --delete-objects', what: 'remove the objects as well' },
  ],
  load: async () => (await import('../deploy/index.ts')).runUninstall,
}
