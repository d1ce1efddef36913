import { clusterOptions, yesOption } from '../access/index.ts'
import type { CommandDeclaration } from '../command/index.ts'
import { timeoutOption } from '../deploy/duration-option.ts'
import {
  deleteObjectsOption,
  dryRunOption,
  jsonOption,
  operatorsArgument,
} from './shared-options.ts'

/** Removes CRDs from a cluster. */
export const uninstallCommand: CommandDeclaration = {
  name: 'uninstall',
  summary: 'remove the CRDs of the operators from a cluster',
  details:
    'Deleting a CRD deletes its objects, so the command refuses to delete a CRD that still has objects. With ' +
    '--delete-objects the objects are deleted first; if they have finalizers, their operator must be running.',
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
    { command: 'setpoint uninstall', what: 'remove the CRDs if they have no objects' },
    { command: 'setpoint uninstall --delete-objects', what: 'remove the CRDs and their objects' },
  ],
  load: async () => (await import('../deploy/index.ts')).runUninstall,
}
