import { clusterOptions, yesOption } from '../access/index.ts'
import type { CommandDeclaration } from '../command/index.ts'
import { operatorsArgument, webhookOptions } from './shared-options.ts'

/** Runs operators during development. */
export const devCommand: CommandDeclaration = {
  name: 'dev',
  summary: 'run operators on an embedded cluster, and reload them when you save',
  details: `Starts a Kubernetes cluster in this process, installs the CRDs of your operators and runs the operators from
their sources. When you save a file, the operators are reloaded: the old ones finish their reconciles, then the new ones
start. The cluster keeps its state. The types are checked with the TypeScript of the project, in another process; type errors
are shown and stop nothing. With --kubeconfig or --context the operators run on that cluster instead.`,
  arguments: [operatorsArgument],
  options: [
    { name: 'samples', summary: 'apply the samples of the project when the operators are running' },
    {
      name: 'sim',
      summary:
        'simulate a few steps of users with faults, for some seconds, at the start and after each save',
    },
    {
      name: 'apply',
      short: 'f',
      value: 'FILE',
      isRepeated: true,
      summary: 'apply this manifest, or the manifests of this folder',
    },
    {
      name: 'persist',
      summary:
        'keep the state of the cluster in .setpoint/data, and continue from it on the next start',
    },
    { name: 'port', value: 'PORT', summary: 'the port of the API server; default: a free port' },
    {
      name: 'nodes',
      value: 'N',
      summary: 'the number of nodes of the cluster, or off; default: 3',
    },
    {
      name: 'images',
      value: 'FILE',
      summary: 'run pods as local processes, from YAML of image: { command, args }',
    },
    { name: 'cluster-only', summary: 'start the cluster without operators' },
    { name: 'plain', summary: 'print lines instead of drawing a screen' },
    { name: 'json', summary: 'print one JSON object per line' },
    ...clusterOptions,
    ...webhookOptions,
    yesOption,
  ],
  examples: [
    {
      command: 'setpoint dev --samples',
      what: 'run the operators of this project and apply its samples',
    },
    {
      command: 'setpoint dev --samples --sim',
      what: 'the same, and try crashes and old views after each save',
    },
    { command: 'setpoint dev src/web.ts', what: 'run the operators of one module' },
    {
      command: 'setpoint dev --context staging',
      what: 'run the operators on a real cluster, after a confirmation',
    },
    {
      command: 'setpoint dev --context staging --webhook-url https://laptop.example.com:9443',
      what: 'the same with webhooks, which that API server reaches at the URL',
    },
    {
      command: 'setpoint dev --cluster-only --port 6443',
      what: 'only a cluster, for kubectl and other programs',
    },
  ],
  stopsGracefully: true,
  load: async () => (await import('../dev/index.ts')).runDev,
}

/** Internal: the process that `setpoint dev` starts to run the operators. */
export const workCommand: CommandDeclaration = {
  name: 'work-for-dev',
  summary: 'run operators for setpoint dev',
  isHidden: true,
  arguments: [{ name: 'FILE', summary: 'the module of the operators' }],
  options: [
    ...clusterOptions,
    ...webhookOptions,
    { name: 'webhook-certificates', value: 'FOLDER', summary: 'the certificate of the webhooks' },
  ],
  examples: [],
  stopsGracefully: true,
  load: async () => (await import('../dev/index.ts')).runOperatorProcess,
}
