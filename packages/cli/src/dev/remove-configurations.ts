import { Client, type Connection, isApiError } from 'setpoint/client'
import type { Host } from 'setpoint/host'
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from 'setpoint/kinds'

/** The name of the configurations of a process that API servers reach by a URL. */
const name = 'setpoint-local-webhooks'

/**
 * Removes the configurations of webhooks on this machine: without the process, the API server would
 * refuse every request that they review.
 */
export async function removeConfigurations(host: Host, connection: Connection): Promise<void> {
  const client = new Client(host, connection)
  for (const kind of [ValidatingWebhookConfiguration, MutatingWebhookConfiguration]) {
    await client.delete(kind, name).catch((error: unknown) => {
      if (!isApiError(error, 'API_NOT_FOUND')) throw error
    })
  }
}
