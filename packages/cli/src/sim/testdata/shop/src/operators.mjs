import * as z from 'zod'
import { defineResource, operator } from 'setpoint'
import { ConfigMap, Secret } from 'setpoint/kinds'

const Shop = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Shop',
  spec: z.object({}),
})

const Cart = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Cart',
  spec: z.object({ size: z.int32().min(1).max(2).default(1) }),
})

const Unsold = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Unsold',
  spec: z.object({}),
})

/** It has a bug: the second Secret is made only together with the first one. */
const shop = operator(Shop)
  .writes(Secret)
  .reconcile(async ({ metadata: { name, uid } }, { client }) => {
    if ((await client.find(Secret, name)) !== undefined) return
    const owner = { apiVersion: Shop.apiVersion, kind: Shop.kind, name, uid }
    const metadata = { ownerReferences: [owner] }
    await client.create(Secret, { metadata: { ...metadata, name } })
    await client.create(Secret, { metadata: { ...metadata, name: `${name}-ca` } })
  })

const cart = operator(Cart).child('config', ConfigMap, ({ spec }) => ({
  data: { size: String(spec.size) },
}))

export default [shop, cart, operator(Unsold)]
