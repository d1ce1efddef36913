import { clusterOptions, yesOption } from '../access/index.ts'
import type { CommandDeclaration } from '../command/index.ts'
import { operatorsArgument } from './shared-options.ts'

/** Runs operators while they are being written. */
export const devCommand: CommandDeclaration = {
  name: 'dev',
  summary: 'run operators on a cluster of their own, and again whenever you save',
  details: `Starts a Kubernetes cluster in this process, installs the definitions of your operators and runs them from
their sources. When you save, new ones are loaded; the old ones finish what they are at, and the new ones take over. The
cluster keeps its state. With --kubeconfig or --context they run on that cluster instead.`,
  arguments: [operatorsArgument],
  options: [
    { name: 'samples', summary: 'apply the samples of the project once the operators work' },
    {
      name: 'apply',
      short: 'f',
      value: 'FILE',
      isRepeated: true,
      summary: 'apply this manifest, or a folder of them',
    },
    {
      name: 'persist',
      summary: 'keep the state of the cluster in .setpoint, and begin with it the next time',
    },
    { name: 'port', value: 'PORT', summary: 'where the cluster listens; a free port unless given' },
    {
      name: 'nodes',
      value: 'N',
      summary: 'how many nodes the cluster has, or off; 3 unless given',
    },
    {
      name: 'images',
      value: 'FILE',
      summary: 'run programs of this machine as pods: YAML of image: { command, args }',
    },
    { name: 'cluster-only', summary: 'start the cluster without operators' },
    { name: 'plain', summary: 'print lines instead of drawing a screen' },
    { name: 'json', summary: 'print one JSON object per line' },
    ...clusterOptions,
    yesOption,
  ],
  examples: [
    {
      command: 'setpoint dev --samples',
      what: 'run the operators of this project and apply its samples',
    },
    { command: 'setpoint dev src/web.ts', what: 'run the operators of one module' },
    {
      command: 'setpoint dev --context staging',
      what: 'run them on a real cluster; you are asked first',
    },
    {
      command: 'setpoint dev --cluster-only --port 6443',
      what: 'only a cluster, for kubectl and other programs',
    },
  ],
  isOrderly: true,
  load: async () => (await import('../dev/index.ts')).runDev,
}

/** What `setpoint dev` starts for itself: the operators, in a process of their own. */
export const workCommand: CommandDeclaration = {
  name: 'work-for-dev',
  summary: 'run operators for setpoint dev',
  isHidden: true,
  arguments: [{ name: 'FILE', summary: 'the module of the operators' }],
  options: clusterOptions,
  examples: [],
  isOrderly: true,
  load: async () => (await import('../dev/index.ts')).runWork,
}
