import type { CommandDeclaration } from '../command/index.ts'
import { noTypeCheckOption, operatorsArgument } from './shared-options.ts'

/** Bundles operators for an image. */
export const buildCommand: CommandDeclaration = {
  name: 'build',
  summary: 'bundle operators into one file, with a Dockerfile and an SBOM',
  details: `Checks the types with the TypeScript of the project. Writes operator.mjs with its source map, the files that your modules name by new URL('file', import.meta.url), a
Dockerfile for an image that contains only Node and these files, and a CycloneDX SBOM. The bundle behaves like setpoint run;
it reads PROBES_PORT, LOG_LEVEL, LEADER_ELECTION and WATCH_NAMESPACES from its environment.`,
  arguments: [operatorsArgument],
  options: [
    { name: 'output', short: 'o', value: 'DIR', summary: 'the folder to write to; default: dist' },
    {
      name: 'entry',
      value: 'FILE',
      summary: 'your own main file that calls run, instead of the generated one',
    },
    noTypeCheckOption,
    { name: 'json', summary: 'print what was written as JSON' },
  ],
  examples: [
    {
      command: 'setpoint build && docker build -t registry.example.com/my-operator:1.0 dist',
      what: 'build an image',
    },
    {
      command: 'node dist/operator.mjs',
      what: 'run the bundle on the cluster of your kubeconfig',
    },
  ],
  load: async () => (await import('../build/index.ts')).runBuild,
}
