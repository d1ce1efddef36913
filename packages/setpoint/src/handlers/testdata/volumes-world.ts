import { testWorld } from '@setpoint/cluster'
import * as z from 'zod'
import type { Client } from '../../client/index.ts'
import { defineResource } from '../../definition/index.ts'
import type { VirtualHost } from '../../host/index.ts'
import { CustomResourceDefinition, EventsEvent } from '../../kinds/index.ts'
import type { AnyOperator } from '../../operator/index.ts'

/** The kind of these tests. */
export const Volume = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Volume',
  spec: z.object({ size: z.string(), mode: z.string().default('rw'), text: z.string().optional() }),
  status: z.object({
    made: z.object({ id: z.string() }).optional(),
    second: z.string().optional(),
    even: z.int32().optional(),
  }),
  conditions: ['Ready'],
})

const share = (made: z.ZodString) =>
  defineResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Share',
    spec: z.object({ size: z.string() }),
    status: z.object({ made: made.optional(), second: z.string().optional() }),
  })

/** The installed schema is stricter than the one the operator knows. */
export const [Share, InstalledShare] = [share(z.string()), share(z.string().max(3))]

/** A cluster in virtual time with running operators. */
interface World extends AsyncDisposable {
  readonly host: VirtualHost
  readonly client: Client
  /** The number of reconciles since the last call. */
  runs(): number
  /** The number of patches of the object itself since the last call. */
  writes(): number
  restart(...operators: AnyOperator[]): Promise<void>
}

/** Starts operators on an API server that has both definitions. */
export async function createWorld(...operators: AnyOperator[]): Promise<World> {
  const world = await testWorld({ operators: [], seed: 5, workloads: 'off' })
  const { host, client, reports } = world
  await client.create(CustomResourceDefinition, Volume.crd())
  await client.create(CustomResourceDefinition, InstalledShare.crd())
  await world.restart(...operators)
  return {
    host,
    client,
    runs: () => reports.splice(0).length,
    writes: () => world.writes().filter((write) => write === 'patch volumes/data').length,
    restart: (...next) => world.restart(...next),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

/** An object of either kind. */
export const data = { metadata: { name: 'data' }, spec: { size: '1G' } }

/** The message of the Ready condition. */
export async function readyOf({ client }: World): Promise<string | undefined> {
  return (await client.get(Volume, 'data')).status?.conditions?.[0]?.message
}

/** The notes of all Events. */
export async function notesOf({ client }: World): Promise<string[]> {
  const events = await client.listAll(EventsEvent, { namespace: 'default' })
  return events.map(({ note }) => note ?? '')
}

/** Whether the object was deleted. */
export async function isDeleted({ client }: World): Promise<boolean> {
  return (await client.find(Volume, 'data')) === undefined
}
