import { type Connection, loadConnection } from 'setpoint/client'
import { accessCluster, agreeToWrites } from '../access/index.ts'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  exitCodes,
} from '../command/index.ts'
import { findProgram } from '../system/index.ts'
import { DevCluster } from './dev-cluster.ts'
import { nodesOption } from './nodes-option.ts'
import type { ShownCluster } from './view.ts'

/** Where operators are tried: a cluster of their own, or one that somebody named. */
export interface Ground extends AsyncDisposable {
  readonly connection: Connection
  /** The words that make another process of ours find it. */
  readonly words: readonly string[]
  readonly shown: ShownCluster
}

/** The cluster that the options ask for. */
export async function groundOf(
  context: CommandContext,
  input: CommandInput,
  folder: string,
): Promise<Ground> {
  const { host } = context
  const kubeconfig = input.value('kubeconfig')
  if (kubeconfig !== undefined || input.value('context') !== undefined) {
    const access = await accessCluster(context, input)
    await agreeToWrites(context, input, { access, what: 'Run operators from these sources' })
    const words = ['kubeconfig', 'context'].flatMap((name) => {
      const value = input.value(name)
      return value === undefined ? [] : [`--${name}`, value]
    })
    return {
      connection: access.connection,
      words,
      shown: { title: access.title, kubeconfig: kubeconfig ?? '', commands: [] },
      [Symbol.asyncDispose]: async () => undefined,
    }
  }
  const dev = await DevCluster.start(host, {
    folder,
    isKept: input.has('persist'),
    port: portOf(input),
    nodes: await nodesOption(context, input),
  })
  const hasKubectl = (await findProgram(host, 'kubectl')) !== undefined
  return {
    connection: await loadConnection(host, { kubeconfig: dev.kubeconfig }),
    words: ['--kubeconfig', dev.kubeconfig],
    shown: {
      title: dev.cluster.url,
      kubeconfig: dev.kubeconfig,
      commands: [
        `export KUBECONFIG=${quoted(dev.kubeconfig)}`,
        ...(hasKubectl
          ? []
          : ['kubectl is not installed: `npx setpoint kubectl get pods` works without']),
      ],
    },
    [Symbol.asyncDispose]: async () => dev[Symbol.asyncDispose](),
  }
}

/** A path as a shell takes it. */
function quoted(path: string): string {
  return /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}

function portOf(input: CommandInput): number | undefined {
  const text = input.value('port')
  if (text === undefined) return undefined
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new CommandError(`--port is ${text}, not a port`, { exitCode: exitCodes.usage })
}
