import { clusterOptions } from '../access/index.ts'
import type { CommandDeclaration } from '../command/index.ts'
import { jsonOption, operatorsArgument } from './shared-options.ts'

/** Finds problems that keep operators from working. */
export const doctorCommand: CommandDeclaration = {
  name: 'doctor',
  summary: 'check versions, access, CRDs, watches, webhooks and clocks, and print fixes',
  details: `Checks this machine, the project and the cluster, and changes nothing. Every problem and every note comes with a
fix. The exit code is 1 if there is a problem; notes do not count. Webhooks of other programs that could lock the cluster
are notes.`,
  arguments: [operatorsArgument],
  options: [
    {
      name: 'as',
      value: 'USER',
      summary:
        'the user whose permissions are checked; system:serviceaccount:NAMESPACE:NAME for a pod; default: you',
    },
    {
      name: 'namespace',
      short: 'n',
      value: 'NAME',
      isRepeated: true,
      summary: 'check the permissions only in this namespace',
    },
    jsonOption,
    ...clusterOptions,
  ],
  examples: [
    { command: 'setpoint doctor', what: 'check with your own permissions' },
    {
      command: 'setpoint doctor --as system:serviceaccount:my-operator-system:my-operator',
      what: 'check with the permissions of the deployed operator',
    },
  ],
  load: async () => (await import('../doctor/index.ts')).runDoctor,
}
