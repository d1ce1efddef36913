import { clusterOptions, yesOption } from '../access/index.ts'
import type { CommandDeclaration } from '../command/index.ts'
import { timeoutOption } from '../deploy/duration-option.ts'
import {
  deleteObjectsOption,
  dryRunOption,
  jsonOption,
  operatorsArgument,
} from './shared-options.ts'

/** Operators out of a cluster. */
export const undeployCommand: CommandDeclaration = {
  name: 'undeploy',
  summary: 'take the operators out of a cluster, with all that deploy brought',
  details:
    'Objects of users are not deleted unless you say so: with --delete-objects they go first, while the operators ' +
    'can still clean up after them. The namespace goes only if deploy made it and it holds nothing else.',
  arguments: [operatorsArgument],
  options: [
    { name: 'namespace', short: 'n', value: 'NAME', summary: 'the namespace they are deployed to' },
    ...clusterOptions,
    { name: 'keep-crds', summary: 'leave the CRDs, and the objects of users' },
    deleteObjectsOption,
    timeoutOption,
    dryRunOption,
    yesOption,
    jsonOption,
  ],
  examples: [
    { command: 'setpoint undeploy --dry-run', what: 'show what would go' },
    { command: 'setpoint undeploy --keep-crds', what: 'stop operating, keep what users made' },
    { command: 'setpoint undeploy --delete-objects', what: 'leave nothing behind' },
  ],
  load: async () => (await import('../deploy/index.ts')).runUndeploy,
}
