import { Client, type Connection } from 'setpoint/client'
import type { Host } from 'setpoint/host'
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from 'setpoint/kinds'

/**
 * Removes the configurations of webhooks at a URL: without the process, the API server would refuse
 * every request that they review.
 */
export async function removeConfigurations(
  host: Host,
  connection: Connection,
  url: string,
): Promise<void> {
  const client = new Client(host, connection)
  for (const kind of [ValidatingWebhookConfiguration, MutatingWebhookConfiguration]) {
    for (const { metadata, webhooks = [] } of await client.listAll(kind)) {
      const isOwn = webhooks.some(({ clientConfig }) => clientConfig.url?.startsWith(`${url}/`))
      if (isOwn) await client.delete(kind, metadata.name)
    }
  }
}
