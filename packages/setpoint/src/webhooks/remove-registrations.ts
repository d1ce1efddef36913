import type { Client } from '../client/index.ts'
import {
  APIService,
  MutatingWebhookConfiguration,
  Service,
  ValidatingWebhookConfiguration,
} from '../kinds/index.ts'
import { localService } from './api-service-objects.ts'

/**
 * Removes the configurations of webhooks at a URL, and the APIServices of a process that API servers
 * reach by a URL. Without the process, the API server would refuse every request that they review.
 * For processes on the machine of a developer, at their end.
 */
export async function removeRegistrations(client: Client, url: string): Promise<void> {
  for (const kind of [ValidatingWebhookConfiguration, MutatingWebhookConfiguration]) {
    for (const { metadata, webhooks } of await client.listAll(kind)) {
      const isOwn = webhooks?.some(({ clientConfig }) => clientConfig.url?.startsWith(`${url}/`))
      if (isOwn === true) await client.delete(kind, metadata.name)
    }
  }
  for (const { metadata, spec } of await client.listAll(APIService)) {
    const { name, namespace } = spec.service ?? {}
    if (name !== localService.name || namespace !== localService.namespace) continue
    await client.delete(APIService, metadata.name)
    if ((await client.find(Service, localService)) !== undefined) {
      await client.delete(Service, localService)
    }
  }
}
