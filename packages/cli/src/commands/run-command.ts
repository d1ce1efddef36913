import { clusterOptions, yesOption } from '../access/index.ts'
import type { CommandDeclaration } from '../command/index.ts'
import { operatorsArgument, webhookOptions } from './shared-options.ts'

/** Runs operators as in production. */
export const runCommand: CommandDeclaration = {
  name: 'run',
  summary: 'run operators as in production, outside or inside of a cluster',
  details: `Runs the operators of this project from their sources: on the cluster that kubectl would use, or in a pod on
the cluster of the pod. Probes and metrics are served on port 8081. Logs are JSON lines, or readable text on a terminal.
SIGTERM stops the operators gracefully. The CRDs must be installed: setpoint install, or --install. Outside of a pod the
command asks for confirmation before operators run on a cluster that is not on this machine.`,
  arguments: [operatorsArgument],
  options: [
    {
      name: 'namespace',
      short: 'n',
      value: 'NAME',
      isRepeated: true,
      summary: 'reconcile only objects in this namespace',
    },
    { name: 'leader-elect', summary: 'use leader election, for several replicas' },
    {
      name: 'election-namespace',
      value: 'NAME',
      summary: 'the namespace of the Lease; default: the namespace of the context',
    },
    {
      name: 'probes-port',
      value: 'PORT',
      summary: 'the port of /healthz, /readyz and /metrics; default: 8081',
    },
    { name: 'no-probes', summary: 'serve no probes and no metrics' },
    { name: 'install', summary: 'apply the CRDs and the policies first' },
    {
      name: 'log-level',
      value: 'LEVEL',
      choices: ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
      summary: 'the lowest level that is logged; default: LOG_LEVEL, or info',
    },
    ...webhookOptions,
    ...clusterOptions,
    yesOption,
  ],
  examples: [
    { command: 'setpoint run', what: 'on this machine, with your kubeconfig' },
    { command: 'setpoint run --leader-elect --probes-port 9090', what: 'one of several replicas' },
    {
      command: 'setpoint run --namespace team-a --namespace team-b',
      what: 'restricted to two namespaces',
    },
  ],
  stopsGracefully: true,
  load: async () => (await import('../run/index.ts')).runOperators,
}
