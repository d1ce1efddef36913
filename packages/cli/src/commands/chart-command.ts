import type { CommandDeclaration } from '../command/index.ts'
import { manifestFlags } from '../generate/manifest-flags.ts'
import { jsonOption, noTypeCheckOption, operatorsArgument } from './shared-options.ts'

/** Writes a Helm chart of the operators. */
export const chartCommand: CommandDeclaration = {
  name: 'chart',
  summary: 'write a Helm chart of the operators',
  details:
    'The chart has the objects of `setpoint generate`, and values for what differs between clusters. The settings of the ' +
    'project in package.json are the defaults of the values. CRDs are templates, so that `helm upgrade` changes them, and are ' +
    'kept by `helm uninstall`.',
  arguments: [operatorsArgument],
  options: [
    {
      name: 'check',
      summary:
        'write nothing; print files that are not up to date, and exit with 1 if there are any',
    },
    ...manifestFlags.filter(({ name }) => name !== 'namespace'),
    {
      name: 'output',
      short: 'o',
      value: 'DIR',
      summary: 'the folder to write to, instead of chart',
    },
    noTypeCheckOption,
    jsonOption,
  ],
  examples: [
    { command: 'setpoint chart', what: 'write chart/' },
    { command: 'setpoint chart --check', what: 'in CI: fail if chart/ is not up to date' },
  ],
  load: async () => (await import('../chart/index.ts')).runChart,
}
