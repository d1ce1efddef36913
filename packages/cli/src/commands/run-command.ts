import { clusterOptions, yesOption } from '../access/index.ts'
import type { CommandDeclaration } from '../command/index.ts'
import { operatorsArgument } from './shared-options.ts'

/** Runs operators as in production. */
export const runCommand: CommandDeclaration = {
  name: 'run',
  summary: 'run operators as in production, outside or inside of a cluster',
  details: `Runs the operators of this project from their sources: on the cluster that kubectl would use, or in a pod on
the cluster around it. Probes and metrics are served on port 8081, logs are JSON lines (readable ones at a terminal),
SIGTERM stops in order. The definitions must be installed: setpoint install, or --install. Outside of a pod you are asked
before operators begin to work on a cluster that is not on this machine.`,
  arguments: [operatorsArgument],
  options: [
    {
      name: 'namespace',
      short: 'n',
      value: 'NAME',
      isRepeated: true,
      summary: 'only objects in this namespace',
    },
    { name: 'leader-elect', summary: 'work only while holding the Lease, for several copies' },
    {
      name: 'election-namespace',
      value: 'NAME',
      summary: 'where the Lease is; the namespace of the context unless given',
    },
    {
      name: 'probes-port',
      value: 'PORT',
      summary: 'where /healthz, /readyz and /metrics are served; 8081 unless given',
    },
    { name: 'no-probes', summary: 'serve no probes and no metrics' },
    { name: 'install', summary: 'apply the definitions first' },
    {
      name: 'log-level',
      value: 'LEVEL',
      choices: ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
      summary: 'from which level on there are records; LOG_LEVEL, else info',
    },
    ...clusterOptions,
    yesOption,
  ],
  examples: [
    { command: 'setpoint run', what: 'outside of the cluster, with your kubeconfig' },
    { command: 'setpoint run --leader-elect --probes-port 9090', what: 'one of several copies' },
    {
      command: 'setpoint run --namespace team-a --namespace team-b',
      what: 'restricted to two namespaces',
    },
  ],
  isOrderly: true,
  load: async () => (await import('../run/index.ts')).runOperators,
}
