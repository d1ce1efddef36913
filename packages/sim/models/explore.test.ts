import { isSetpointError } from 'setpoint'
import {
  ConfigMap,
  type ConfigMap as AnyObject,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  Secret,
  Service,
  StatefulSet,
} from 'setpoint/kinds'
import { expect, test } from 'vitest'
import type { Kind } from 'setpoint'
import { models } from './model-list.ts'
import { ModelWorld } from './testdata/model-world.ts'

const kinds: readonly Kind[] = [
  ConfigMap,
  PersistentVolumeClaim,
  Pod,
  PodDisruptionBudget,
  Secret,
  Service,
  StatefulSet,
]

/** The objects that exist after the creation of the sample, by model. */
const created: Readonly<Record<string, readonly string[]>> = {}

async function objectsOf(world: ModelWorld): Promise<string[]> {
  const found: string[] = []
  for (const kind of kinds) {
    for (const object of (await world.client.listAll(kind)) as AnyObject[]) {
      if (object.metadata.namespace !== 'default') continue
      found.push(`${kind.plural}/${object.metadata.name}`)
    }
  }
  return found.sort()
}

console.log(isSetpointError, created)
const changes: Record<string, Record<string, object>> = {
  M01: { up: { size: 5 } },
  M03: {
    nodes: { nodes: 4 },
    config: { properties: { port: '9' } },
    more: { properties: { port: '8080', x: 'y' } },
  },
  M04: { up: { nodes: 4 }, down: { nodes: 1 } },
  M05: { up: { replicas: 4 }, down: { replicas: 1 }, size: { storage: '2Gi' } },
  M06: { up: { nodes: 5 }, down: { nodes: 2 } },
}
const only = process.env['MODELS']
for (const model of models.filter(({ id }) => only === undefined || only.includes(id))) {
  for (const which of ['program', 'twin'] as const) {
    test(`${model.id} ${which}`, async () => {
      await using world = await ModelWorld.open(model.resource)
      const before = await objectsOf(world)
      const show = async (what: string) => {
        const { status } = (await world.client.get(model.resource, model.sample.metadata.name)) as {
          status?: { conditions?: { status: string; reason: string; message: string }[] }
        }
        const objects = (await objectsOf(world)).filter((o) => !before.includes(o))
        const { status: s, reason, message } = status?.conditions?.[0] ?? {}
        console.log(
          `${model.id} ${which} ${what}: ${s} ${reason} ${message}; ${objects.join(' ')}; writes ${world.writes.length}; errors ${world.errors.join(' | ')}`,
        )
      }
      world.start(model[which])
      await world.pass(10)
      await world.client.create(model.resource, model.sample as never)
      await world.pass(120)
      await show('created')
      for (const [change, value] of Object.entries(changes[model.id] ?? {})) {
        for (const spec of [value, model.sample.spec]) {
          const live = (await world.client.get(
            model.resource,
            model.sample.metadata.name,
          )) as object
          try {
            await world.client.replace(model.resource, {
              ...live,
              spec: { ...model.sample.spec, ...(spec as object) },
            } as never)
          } catch (e) {
            console.log(change, String(e))
          }
          await world.pass(180)
          await show(spec === value ? change : `${change} back`)
        }
      }
      await world.client.delete(model.resource, model.sample.metadata.name)
      await world.pass(5)
      await world.client.create(model.resource, model.sample as never).catch(async (e) => {
        console.log(String(e))
        await world.pass(100)
        await world.client.create(model.resource, model.sample as never)
      })
      await world.pass(180)
      await show('created again')
      await world.client.delete(model.resource, model.sample.metadata.name)
      await world.pass(180)
      const left = (await objectsOf(world)).filter((o) => !before.includes(o))
      console.log(
        `${model.id} ${which} deleted: left ${left.join(' ')}; ${String(await world.client.find(model.resource, model.sample.metadata.name))} errors ${world.errors.join(' | ')}`,
      )
      const n = world.writes.length
      await world.pass(600)
      expect(world.writes.slice(n)).toEqual([])
    })
  }
}
