import { clusterOptions, yesOption } from '../access/index.ts'
import type { CommandDeclaration } from '../command/index.ts'
import { dryRunOption, jsonOption } from './shared-options.ts'

/** Rewrites stored objects, so that an old version can be removed. */
export const migrateCommand: CommandDeclaration = {
  name: 'migrate',
  summary: 'rewrite stored objects to the storage version of their CRD',
  details: `After the storage version of a CRD changed, objects stay stored in the old version until a client writes them.
This command writes each object once without changes, and then removes the old version from status.storedVersions of the
CRD: only then can the version be removed from the definition. An interrupted run continues where it stopped. Objects that
cannot be rewritten are listed, and the old version stays. It needs the permissions list and patch for the objects, get and
patch for the CRD, and update for customresourcedefinitions/status.`,
  arguments: [
    {
      name: 'KIND',
      summary:
        'kinds of the project, or names of CRDs of the cluster (PLURAL.GROUP); default: all kinds of the project',
      isOptional: true,
      isRepeated: true,
    },
  ],
  options: [
    {
      name: 'operators',
      value: 'FILE',
      summary: 'the module with the operators; default: src/operators.ts',
    },
    {
      name: 'concurrency',
      value: 'NUMBER',
      summary: 'how many objects are rewritten at the same time; default: 20',
    },
    { ...dryRunOption, summary: 'print how many objects would be rewritten' },
    yesOption,
    jsonOption,
    ...clusterOptions,
  ],
  examples: [
    { command: 'setpoint migrate', what: 'all kinds of the project' },
    { command: 'setpoint migrate Disk --dry-run', what: 'only count the objects of one kind' },
    {
      command: 'setpoint migrate certificates.cert-manager.io',
      what: 'a CRD of another program',
    },
  ],
  stopsGracefully: true,
  load: async () => (await import('../migrate/index.ts')).runMigrate,
}
