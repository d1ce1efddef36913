import { relative } from 'node:path'
import { isLoopbackUrl, isSetpointError } from 'setpoint'
import { Client, type Connection, loadConnection } from 'setpoint/client'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  exitCodes,
  type OptionDeclaration,
} from '../command/index.ts'
import { answeringServer, findDevKubeconfig } from './dev-kubeconfig.ts'

/**
 * Which cluster a command uses; without them and KUBECONFIG, the cluster of the `setpoint dev` that
 * runs in this project, or else the one that kubectl would use.
 */
export const clusterOptions: readonly OptionDeclaration[] = [
  {
    name: 'kubeconfig',
    value: 'FILE',
    summary:
      'path of a kubeconfig, instead of KUBECONFIG, the running setpoint dev or ~/.kube/config',
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

/** The cluster of `--kubeconfig` and `--context`, or the default one. */
export async function accessCluster(
  context: CommandContext,
  input: CommandInput,
): Promise<ClusterAccess> {
  const { host } = context
  const connection = await connectionFor(context, {
    kubeconfig: input.value('kubeconfig'),
    context: input.value('context'),
  })
  const { origin, pathname } = new URL(connection.server)
  return {
    client: new Client(host, connection),
    connection,
    // Behind a proxy, a loopback address belongs to the machine of the proxy.
    isLocal: isLoopbackUrl(connection.server) && connection.proxy === undefined,
    // Without the user information of the URL: it may contain a password.
    title: `${connection.name} (${origin}${pathname === '/' ? '' : pathname})`,
  }
}

async function connectionFor(
  { host, terminal, folder }: CommandContext,
  given: { readonly kubeconfig: string | undefined; readonly context: string | undefined },
): Promise<Connection> {
  const isSelected =
    given.kubeconfig !== undefined ||
    given.context !== undefined ||
    (host.env('KUBECONFIG') ?? '') !== '' ||
    // A pod uses its own cluster.
    host.env('KUBERNETES_SERVICE_HOST') !== undefined
  if (isSelected) return loadConnection(host, given)
  const dev = await findDevKubeconfig(host, folder)
  if (dev !== undefined && (await answeringServer(host, dev)) !== undefined) {
    const path = relative(folder, dev)
    terminal.printProgress(terminal.style.dim(`using the cluster of setpoint dev (${path})`))
    return loadConnection(host, { kubeconfig: dev })
  }
  try {
    return await loadConnection(host)
  } catch (error) {
    if (!isSetpointError(error, 'CONNECTION_INVALID')) throw error
    throw new CommandError(error.message.split('\n  hint:')[0] ?? '', {
      cause: error,
      hint: 'start setpoint dev in this project, or select a cluster with --kubeconfig, --context or KUBECONFIG',
    })
  }
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
