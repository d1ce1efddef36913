import { clusterOptions, yesOption } from '../access/index.ts'
import type { CommandDeclaration } from '../command/index.ts'
import { timeoutOption } from '../deploy/duration-option.ts'
import {
  deleteObjectsOption,
  dryRunOption,
  jsonOption,
  operatorsArgument,
} from './shared-options.ts'

/** Removes operators from a cluster. */
export const undeployCommand: CommandDeclaration = {
  name: 'undeploy',
  summary: 'remove the operators and everything that deploy created from a cluster',
  details:
    'Objects of users are deleted only with --delete-objects. They are deleted first, while the operators still run ' +
    'their cleanup. The namespace is deleted only if deploy created it and it contains nothing else.',
  arguments: [operatorsArgument],
  options: [
    { name: 'namespace', short: 'n', value: 'NAME', summary: 'the namespace of the operators' },
    ...clusterOptions,
    { name: 'keep-crds', summary: 'keep the CRDs and the objects of users' },
    deleteObjectsOption,
    timeoutOption,
    dryRunOption,
    yesOption,
    jsonOption,
  ],
  examples: [
    { command: 'setpoint undeploy --dry-run', what: 'only print what would be deleted' },
    {
      command: 'setpoint undeploy --keep-crds',
      what: 'remove the operators, keep the objects of users',
    },
    { command: 'setpoint undeploy --delete-objects', what: 'remove everything' },
  ],
  load: async () => (await import('../deploy/index.ts')).runUndeploy,
}
