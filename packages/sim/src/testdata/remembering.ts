import * as z from 'zod'
import { defineResource, operator } from 'setpoint'
import { ConfigMap } from 'setpoint/kinds'
import { rememberedIn } from './memory.ts'

export const Shop = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Shop',
  spec: z.object({}),
})

const known = rememberedIn('known')

/** Remembers what it is about to create: right, because a crash loses the memory, too. */
export const remembersEarly = operator(Shop)
  .owns(ConfigMap)
  .reconcile(async ({ metadata: { name, uid } }, ctx) => {
    if (known.has(uid)) return
    known.add(uid)
    try {
      await ctx.apply(ConfigMap, { metadata: { name }, data: {} })
    } catch (error) {
      known.delete(uid)
      throw error
    }
  })

/** Relies on its memory: wrong, because a new process creates a second object. */
export const reliesOnMemory = operator(Shop)
  .owns(ConfigMap)
  .reconcile(async ({ metadata: { name, uid } }, ctx) => {
    if (known.has(uid)) return
    await ctx.create(ConfigMap, { metadata: { generateName: `${name}-` }, data: {} })
    known.add(uid)
  })
