import type { CommandDeclaration } from '../command/index.ts'
import { manifestFlags } from '../generate/manifest-flags.ts'
import { jsonOption, noTypeCheckOption, operatorsArgument } from './shared-options.ts'

const flags = ['image', 'replicas', 'disruption-budget']

/** Writes a bundle for the Operator Lifecycle Manager. */
export const bundleCommand: CommandDeclaration = {
  name: 'bundle',
  summary: 'write an OLM bundle of the operators, or a catalog with it',
  details:
    'The bundle has a ClusterServiceVersion, the CRDs, annotations and a Dockerfile. What a ' +
    'catalog shows is in package.json: "setpoint": { "bundle": { "displayName", "description", "icon", "channels", ... } }. ' +
    'Operators with admission policies, and webhooks that OLM cannot express, are refused.',
  arguments: [operatorsArgument],
  options: [
    {
      name: 'check',
      summary:
        'write nothing; print files that are not up to date, and exit with 1 if there are any',
    },
    ...manifestFlags.filter(({ name }) => flags.includes(name)),
    { name: 'channels', value: 'A,B', summary: 'the channels of the bundle; default: stable' },
    { name: 'default-channel', value: 'NAME', summary: 'the default channel of the package' },
    { name: 'replaces', value: 'VERSION', summary: 'the version that this one replaces' },
    { name: 'skips', value: 'VERSIONS', summary: 'versions that upgrades skip, with commas' },
    { name: 'skip-range', value: 'RANGE', summary: "such as '>=1.0.0 <1.2.0': upgraded directly" },
    { name: 'catalog', summary: 'write a file-based catalog with this bundle instead' },
    { name: 'bundle-image', value: 'IMAGE', summary: 'the image of the bundle, for --catalog' },
    {
      name: 'output',
      short: 'o',
      value: 'DIR',
      summary: 'the folder to write to; default: bundle or catalog',
    },
    noTypeCheckOption,
    jsonOption,
  ],
  examples: [
    {
      command: 'setpoint bundle --image registry.example.com/shop:1.2.0 --replaces 1.1.0',
      what: 'write bundle/',
    },
    {
      command: 'setpoint bundle --catalog --bundle-image registry.example.com/shop-bundle:1.2.0',
      what: 'write catalog/',
    },
  ],
  load: async () => (await import('../bundle/index.ts')).runBundle,
}

/** Judges the bundle and what its operators do. */
export const scorecardCommand: CommandDeclaration = {
  name: 'scorecard',
  summary: "run the tests of the Operator Framework's scorecard",
  details:
    'The command starts an embedded cluster, runs the operators on it, creates the examples of the bundle, and ' +
    'judges the objects and the bundle. It needs neither a cluster nor an image. The exit code is 1 if a test fails.',
  arguments: [operatorsArgument],
  options: [
    { name: 'suite', value: 'basic|olm', summary: 'run only one suite' },
    {
      name: 'wait',
      value: 'DURATION',
      summary: 'how long the operators may need for an example; default: 30s',
    },
    { ...jsonOption, summary: 'print a TestList, as operator-sdk scorecard --output json does' },
  ],
  examples: [
    { command: 'setpoint scorecard', what: 'run all tests' },
    { command: 'setpoint scorecard --suite olm --json', what: 'only the tests of the bundle' },
  ],
  load: async () => (await import('../scorecard/index.ts')).runScorecard,
}
