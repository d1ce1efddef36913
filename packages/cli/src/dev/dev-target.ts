import { isOnSameMachine, removeRegistrations } from 'setpoint'
import { Client, type Connection, loadConnection } from 'setpoint/client'
import { accessCluster, confirmWrites, webhookPortDefault, webhookUrl } from '../access/index.ts'
import { type CommandContext, type CommandInput, portOption } from '../command/index.ts'
import { findProgram } from '../system/index.ts'
import { DevCluster } from './dev-cluster.ts'
import { nodesOption } from './nodes-option.ts'
import type { ShownCluster } from './view.ts'
import { WebhookProxy } from './admission/webhook-proxy.ts'

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
    const url = webhookUrl(input)
    const port = portOption(input, 'webhook-port') ?? webhookPortDefault
    const proxy =
      url !== undefined
        ? await WebhookProxy.start(host, { folder, url, port })
        : (await isOnSameMachine(access.client, access.connection))
          ? await WebhookProxy.start(host, { folder })
          : undefined
    return {
      connection: access.connection,
      options: [...options, ...(proxy?.options ?? [])],
      shown: { title: access.title, kubeconfig: kubeconfig ?? '', commands: [] },
      [Symbol.asyncDispose]: async () => {
        if (proxy === undefined) return
        await removeRegistrations(access.client, proxy.url)
        await proxy[Symbol.asyncDispose]()
      },
    }
  }
  const dev = await DevCluster.start(host, {
    folder,
    isPersistent: input.has('persist'),
    port: portOption(input, 'port'),
    nodes: await nodesOption(context, input),
  })
  const proxy = await WebhookProxy.start(host, { folder })
  const connection = await loadConnection(host, { kubeconfig: dev.kubeconfig })
  const hasKubectl = (await findProgram(host, 'kubectl')) !== undefined
  return {
    connection,
    options: ['--kubeconfig', dev.kubeconfig, ...proxy.options],
    shown: {
      title: dev.cluster.url,
      kubeconfig: dev.kubeconfig,
      commands: [
        `export KUBECONFIG=${escaped(dev.kubeconfig)}`,
        ...(hasKubectl ? [] : ['kubectl is not installed; use `npx setpoint kubectl get pods`']),
      ],
    },
    [Symbol.asyncDispose]: async () => {
      await removeRegistrations(new Client(host, connection), proxy.url)
      await proxy[Symbol.asyncDispose]()
      await dev[Symbol.asyncDispose]()
    },
  }
}

/** A path for a shell. Escapes, unlike quotes, allow the screen to continue it on another line. */
function escaped(path: string): string {
  return path.replaceAll(/[^\w./@:+-]/g, '\\$&')
}
