import { type Connection, loadConnection } from 'setpoint/client'
import { accessCluster, confirmWrites } from '../access/index.ts'
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

/** The cluster of `setpoint dev`: an embedded one, or the one of `--kubeconfig` and `--context`. */
export interface DevTarget extends AsyncDisposable {
  readonly connection: Connection
  /** The options by which the process with the operators finds it. */
  readonly options: readonly string[]
  readonly shown: Omit<ShownCluster, 'hasOperators'>
}

/** The cluster that the options ask for. */
export async function openDevTarget(
  context: CommandContext,
  input: CommandInput,
  folder: string,
): Promise<DevTarget> {
  const { host } = context
  const kubeconfig = input.value('kubeconfig')
  if (kubeconfig !== undefined || input.value('context') !== undefined) {
    const access = await accessCluster(context, input)
    await confirmWrites(context, input, { access, what: 'Run operators from these sources' })
    const options = ['kubeconfig', 'context'].flatMap((name) => {
      const value = input.value(name)
      return value === undefined ? [] : [`--${name}`, value]
    })
    return {
      connection: access.connection,
      options,
      shown: { title: access.title, kubeconfig: kubeconfig ?? '', commands: [] },
      [Symbol.asyncDispose]: async () => undefined,
    }
  }
  const dev = await DevCluster.start(host, {
    folder,
    isPersistent: input.has('persist'),
    port: portOf(input),
    nodes: await nodesOption(context, input),
  })
  const hasKubectl = (await findProgram(host, 'kubectl')) !== undefined
  return {
    connection: await loadConnection(host, { kubeconfig: dev.kubeconfig }),
    options: ['--kubeconfig', dev.kubeconfig],
    shown: {
      title: dev.cluster.url,
      kubeconfig: dev.kubeconfig,
      commands: [
        `export KUBECONFIG=${escaped(dev.kubeconfig)}`,
        ...(hasKubectl ? [] : ['kubectl is not installed; use `npx setpoint kubectl get pods`']),
      ],
    },
    [Symbol.asyncDispose]: async () => dev[Symbol.asyncDispose](),
  }
}

/** A path for a shell. Escapes, unlike quotes, allow the screen to continue it on another line. */
function escaped(path: string): string {
  return path.replaceAll(/[^\w./@:+-]/g, '\\$&')
}

function portOf(input: CommandInput): number | undefined {
  const text = input.value('port')
  if (text === undefined) return undefined
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new CommandError(`--port is ${text}, which is not a port`, { exitCode: exitCodes.usage })
}
