import { clusterOptions } from '../access/index.ts'
import type { CommandDeclaration } from '../command/index.ts'
import { jsonOption, operatorsArgument } from './shared-options.ts'

/** Finds what keeps operators from working. */
export const doctorCommand: CommandDeclaration = {
  name: 'doctor',
  summary: 'check versions, access, definitions, watches and clocks, with what to do',
  details: `Looks at this machine, the project and the cluster, and changes nothing. Every finding says what to do. It ends
with 1 when something has to be mended; what is only worth knowing does not count.`,
  arguments: [operatorsArgument],
  options: [
    {
      name: 'as',
      value: 'USER',
      summary:
        'whose rights to check: you unless given; system:serviceaccount:NAMESPACE:NAME for a pod',
    },
    {
      name: 'namespace',
      short: 'n',
      value: 'NAME',
      isRepeated: true,
      summary: 'check the rights in this namespace only',
    },
    jsonOption,
    ...clusterOptions,
  ],
  examples: [
    { command: 'setpoint doctor', what: 'everything, as yourself' },
    {
      command: 'setpoint doctor --as system:serviceaccount:my-operator-system:my-operator',
      what: 'with the rights that the deployed operator has',
    },
  ],
  load: async () => (await import('../doctor/index.ts')).runDoctor,
}
