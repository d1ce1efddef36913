import { Client, type Connection, inClusterName } from '../client/index.ts'
import type { Host } from '../host/index.ts'
import type { AnyOperator } from '../operator/index.ts'
import {
  hasServedFunctions,
  hasWebhooks,
  isOnSameMachine,
  type WebhooksOptions,
} from '../webhooks/index.ts'

/** The process whose webhooks an API server may reach without a Service. */
interface LocalProcess {
  readonly host: Host
  readonly connection: Connection
  readonly install?: boolean | undefined
}

/**
 * How webhooks are served outside of a pod, if no option says it: on a loopback address, for an API
 * server in this process or on this machine. `undefined` if the API server is elsewhere, or if
 * there is nothing to serve.
 */
export async function localWebhooks(
  operators: readonly AnyOperator[],
  { host, connection, install = false }: LocalProcess,
): Promise<WebhooksOptions | undefined> {
  if (connection.isLocal === true) return {}
  if (connection.name === inClusterName) return undefined
  if (!hasServedFunctions(operators) && !(install && hasWebhooks(operators))) return undefined
  const isReached = await isOnSameMachine(new Client(host, connection), connection)
  return isReached ? { removeOnStop: true } : undefined
}
