import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { Deployment, Service } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { deleteExactly } from '../support/delete-exactly.ts'
import { childMetadata } from '../support/member-set.ts'
import { startController, type Tools } from '../support/start-controller.ts'
import { setStatus } from '../support/status.ts'
import { isOwnedBy } from '../support/stored-object.ts'
import type { NoAlarm } from './no-alarm.ts'

const Shop = defineResource({
  group: 'shops.example.com',
  version: 'v1',
  kind: 'Shop',
  spec: z.object({
    replicas: z.int32().min(1).default(2),
    version: z
      .string()
      .regex(/^[0-9]+\.[0-9]+$/)
      .default('1.0'),
  }),
  conditions: ['Ready'],
})
type Shop = InferResource<typeof Shop>

const program = (process: ProcessContext) =>
  startController({
    ...process,
    for: Shop,
    owns: [Deployment, Service],
    reconcile: async (key, tools) => {
      const shop = await tools.client.find(Shop, key)
      if (shop === undefined || shop.metadata.deletionTimestamp !== undefined) return
      const deployment = await createOrUpdate(tools, Deployment, deploymentOf(shop))
      const isReady = Deployment.isRolledOut(deployment)
      if (isReady) {
        await createOrUpdate(tools, Service, serviceOf(shop))
        await deleteOthers(tools, shop)
      }
      const reason = isReady ? 'Serving' : 'RollingOut'
      const message = Deployment.progress(deployment)
      await setStatus(tools, Shop, { object: shop, isReady, reason, message })
    },
  })

/** Each version has a Deployment of its own. */
function deploymentOf(shop: Shop) {
  const { replicas, version } = shop.spec
  const labels = { app: shop.metadata.name, version }
  return {
    metadata: childMetadata(Shop, shop, `${shop.metadata.name}-v${version.replace('.', '-')}`),
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'shop', image: `shop:${version}` }] },
      },
    },
  }
}

function serviceOf(shop: Shop) {
  const { name } = shop.metadata
  const selector = { app: name, version: shop.spec.version }
  return { metadata: childMetadata(Shop, shop, name), spec: { selector, ports: [{ port: 80 }] } }
}

/** Removes the Deployments of other versions after the Service has left them. */
async function deleteOthers({ client }: Tools, shop: Shop): Promise<void> {
  const { namespace, name } = shop.metadata
  const current = deploymentOf(shop).metadata.name
  for (const object of await client.listAll(Deployment, {
    namespace,
    labelSelector: { app: name },
  })) {
    if (object.metadata.name === current || !isOwnedBy(object, shop)) continue
    await deleteExactly(client, Deployment, { object })
  }
}

export const blueGreen: NoAlarm = {
  id: 'N06',
  summary: 'A new version gets a new Deployment, and the old one is deleted.',
  resource: Shop,
  sample: { metadata: { name: 'oak' }, spec: { replicas: 2, version: '1.0' } },
  program,
  declares: { recreateOk: 'Deployments are replaced by new ones' },
}
