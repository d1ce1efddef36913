import { Client, type Connection, loadConnection } from 'setpoint/client'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  exitCodes,
  type OptionDeclaration,
} from '../command/index.ts'

/** Which cluster a command uses; without them, the cluster that kubectl would use. */
export const clusterOptions: readonly OptionDeclaration[] = [
  {
    name: 'kubeconfig',
    value: 'FILE',
    summary: 'path of a kubeconfig, instead of KUBECONFIG or ~/.kube/config',
  },
  {
    name: 'context',
    value: 'NAME',
    summary: 'context of the kubeconfig, instead of the current context',
  },
]

/** Skips confirmations, for scripts and CI. */
export const yesOption: OptionDeclaration = {
  name: 'yes',
  short: 'y',
  summary: 'do not ask for confirmation',
}

/** The cluster that a command uses. */
export interface ClusterAccess {
  readonly client: Client
  readonly connection: Connection
  /** The server listens on a loopback address: no other users are affected. */
  readonly isLocal: boolean
  /** The name of the context and the URL of the server. */
  readonly title: string
}

/** The cluster of `--kubeconfig` and `--context`. */
export async function accessCluster(
  { host }: CommandContext,
  input: CommandInput,
): Promise<ClusterAccess> {
  const options = { kubeconfig: input.value('kubeconfig'), context: input.value('context') }
  const connection = await loadConnection(host, options)
  const { hostname, origin, pathname } = new URL(connection.server)
  return {
    client: new Client(host, connection),
    connection,
    // Behind a proxy, a loopback address belongs to the machine of the proxy.
    isLocal: isLoopback(hostname) && connection.proxy === undefined,
    // Without the user information of the URL: it may contain a password.
    title: `${connection.name} (${origin}${pathname === '/' ? '' : pathname})`,
  }
}

function isLoopback(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '')
  return name === 'localhost' || name === '::1' || /^127(\.\d+){3}$/.test(name)
}

/** Asks for confirmation before a command writes to a cluster that is not on this machine. */
export async function confirmWrites(
  { terminal }: CommandContext,
  input: CommandInput,
  { access, what }: { readonly access: ClusterAccess; readonly what: string },
): Promise<void> {
  if (access.isLocal || input.has('yes')) return
  const decline = (message: string): CommandError =>
    new CommandError(message, {
      exitCode: exitCodes.declined,
      hint: 'nothing was written; --yes skips the question',
    })
  if (!terminal.isInteractive) {
    throw decline(`${what} on ${access.title} needs confirmation, and this is not a terminal`)
  }
  const answer = await terminal.ask(`${what} on ${access.title}? [y/N]`)
  if (!/^y(es)?$/i.test(answer)) throw decline('not confirmed')
}
