import { Client, type Connection, loadConnection } from 'setpoint/client'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  exitCodes,
  type OptionDeclaration,
} from '../command/index.ts'

/** Which cluster a command is about; without them, the one kubectl would take. */
export const clusterOptions: readonly OptionDeclaration[] = [
  {
    name: 'kubeconfig',
    value: 'FILE',
    summary: 'the kubeconfig, instead of KUBECONFIG or ~/.kube/config',
  },
  {
    name: 'context',
    value: 'NAME',
    summary: 'a context of the kubeconfig, instead of the current one',
  },
]

/** For scripts, where nobody can be asked. */
export const yesOption: OptionDeclaration = {
  name: 'yes',
  short: 'y',
  summary: 'do it without asking',
}

/** A cluster that a command works on. */
export interface ClusterAccess {
  readonly client: Client
  readonly connection: Connection
  /** It is on this machine: a mistake there hurts nobody else. */
  readonly isLocal: boolean
  /** What a person calls it. */
  readonly title: string
}

/** The cluster that the options of a command name. */
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
    // What is local behind a proxy is local to the proxy.
    isLocal: isLoopback(hostname) && connection.proxy === undefined,
    // Without what stands before the name of the host: it may be a password.
    title: `${connection.name} (${origin}${pathname === '/' ? '' : pathname})`,
  }
}

function isLoopback(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '')
  return name === 'localhost' || name === '::1' || /^127(\.\d+){3}$/.test(name)
}

/** Lets a person stop a command before it writes to a cluster that others may use. */
export async function agreeToWrites(
  { terminal }: CommandContext,
  input: CommandInput,
  { access, what }: { readonly access: ClusterAccess; readonly what: string },
): Promise<void> {
  if (access.isLocal || input.has('yes')) return
  const decline = (message: string): CommandError =>
    new CommandError(message, {
      exitCode: exitCodes.declined,
      hint: 'nothing was written; --yes answers the question beforehand',
    })
  if (!terminal.isInteractive) {
    throw decline(`${what} on ${access.title} needs somebody's consent, and nobody can be asked`)
  }
  const answer = await terminal.ask(`${what} on ${access.title}? [y/N]`)
  if (!/^y(es)?$/i.test(answer)) throw decline('you said no')
}
