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

/** Right as long as a crash loses what it remembers, as in reality. */
const known = new Set()
const cart = operator(Cart)
  .owns(ConfigMap)
  .reconcile(async ({ metadata: { name, uid, generation }, spec }, ctx) => {
    const seen = `${uid} ${generation}`
    if (known.has(seen)) return
    known.add(seen)
    try {
      await ctx.apply(ConfigMap, { metadata: { name }, data: { size: String(spec.size) } })
    } catch (error) {
      known.delete(seen)
      throw error
    }
  })

export default [shop, cart, operator(Unsold)]
