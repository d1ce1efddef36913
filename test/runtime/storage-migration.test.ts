import { expect } from 'vitest'
import * as z from 'zod'
import { defineResource, operator } from 'setpoint'
import { CustomResourceDefinition, defineKind, type StoredMetadata } from 'setpoint/kinds'
import { migrateDefinition } from '../../packages/cli/src/migrate/index.ts'
import { readDefinition } from '../../packages/cli/src/migrate/stored-definition.ts'
import { inEveryWorld } from './in-every-world.ts'
import type { World } from './world.ts'

/** A real control plane migrates as many objects as a large cluster has. */
const counts = { virtual: 100, socket: 200, real: 5_000 }

/** The pause of a client between two turns; in virtual time requests take almost no time. */
const pausesMs = { virtual: 50, socket: 5, real: 5 }

const oldSpec = z.object({ sizeGi: z.int32(), note: z.string() })
const newSpec = z.object({
  size: z.object({ value: z.int32(), unit: z.enum(['Gi', 'Ti']) }),
  tier: z.string().default('standard'),
})

/** The definitions of three releases: v1 only, v2 with v1 stored, v2 stored. */
function releasesOf(group: string) {
  const identity = { group, kind: 'Disk' } as const
  const v1 = {
    spec: oldSpec,
    lossless: true,
    up: ({ spec }: { spec: z.output<typeof oldSpec> }) => ({
      spec: { size: { value: spec.sizeGi, unit: 'Gi' as const } },
    }),
    down: ({ spec: { size } }: { spec: z.output<typeof newSpec> }) => ({
      spec: { sizeGi: size.value * (size.unit === 'Gi' ? 1 : 1024), note: '' },
    }),
  }
  const current = { ...identity, version: 'v2', spec: newSpec } as const
  return {
    first: defineResource({ ...identity, version: 'v1', spec: oldSpec }),
    second: defineResource({ ...current, versions: { v1: { ...v1, storage: true } } }),
    third: defineResource({ ...current, versions: { v1 } }),
    last: defineResource(current),
  }
}

interface OldDisk {
  apiVersion: string
  kind: 'Disk'
  metadata: StoredMetadata<'Namespaced'>
  spec: { sizeGi: number; note: string }
}

function oldKind(group: string) {
  return defineKind<OldDisk>({
    apiVersion: `${group}/v1`,
    kind: 'Disk',
    plural: 'disks',
    singular: 'disk',
    scope: 'Namespaced',
  })
}

type Releases = ReturnType<typeof releasesOf>

/** The disks as their clients wrote them last. */
class Disks {
  readonly #world: World
  readonly #disks: Releases['third']
  readonly #old: ReturnType<typeof oldKind>
  readonly #sizes: number[]
  readonly #changes = new Map<number, { size?: object; tier: string }>()
  isInUse = true
  requests = 0

  constructor(world: World, disks: Releases['third']) {
    this.#world = world
    this.#disks = disks
    this.#old = oldKind(world.group)
    this.#sizes = Array.from({ length: counts[world.name] }, (_, index) => index + 1)
  }

  /** Creates all disks in v1. */
  async create(): Promise<void> {
    const queue = this.#sizes.entries()
    const work = async (): Promise<void> => {
      for (const [index, sizeGi] of queue) {
        const spec = { sizeGi, note: `note ${index}` }
        await this.#world.client.create(this.#old, { metadata: { name: `d${index}` }, spec })
      }
    }
    await Promise.all(Array.from({ length: 20 }, work))
  }

  /** A client of v1 that resizes disks, and reads them back. */
  async useOld(): Promise<void> {
    const { client, host, namespace, name } = this.#world
    for (let turn = 0; this.isInUse; turn += 1) {
      const index = (turn * 7 + 1) % this.#sizes.length
      // The others are resized by the new client.
      if (index % 5 !== 0) {
        const sizeGi = 10_000 + turn
        this.#sizes[index] = sizeGi
        const merge = { spec: { sizeGi } }
        const { spec } = await client.patch(this.#old, `d${index}`, { merge })
        expect(spec).toEqual({ sizeGi, note: `note ${index}` })
        this.requests += 1
      }
      if (turn % 20 === 0) {
        await client.listPages(this.#old, { namespace, pageSize: 50 }).next()
        this.requests += 1
      }
      await host.sleep(pausesMs[name])
    }
  }

  /** A client of v2 that sets what v1 cannot express. */
  async useNew(): Promise<void> {
    const { client, host, name } = this.#world
    for (let turn = 0; this.isInUse; turn += 1) {
      const index = (turn * 11) % this.#sizes.length
      const isResized = index % 5 === 0
      const change = {
        ...(isResized ? { size: { value: turn, unit: 'Ti' as const } } : {}),
        tier: `tier ${turn}`,
      }
      this.#changes.set(index, change)
      const { spec } = await client.patch(this.#disks, `d${index}`, { merge: { spec: change } })
      expect(spec).toMatchObject(change)
      const read = await client.get(this.#disks, `d${index}`)
      expect(read.spec.tier).toBe(change.tier)
      this.requests += 2
      await host.sleep(pausesMs[name])
    }
  }

  /** Checks that every field of every disk is as it was written last. */
  async check(kind: Releases['third'] | Releases['last']): Promise<void> {
    const { client, namespace } = this.#world
    const found = await client.listAll(kind, { namespace })
    expect(found).toHaveLength(this.#sizes.length)
    for (const { metadata, spec } of found) {
      const index = Number(metadata.name.slice(1))
      const size = { value: this.#sizes[index] ?? 0, unit: 'Gi' }
      expect(spec).toEqual({ size, tier: 'standard', ...this.#changes.get(index) })
    }
  }

  /** Checks the field that only v1 has. */
  async checkNotes(): Promise<void> {
    const { client, namespace } = this.#world
    for (const { metadata, spec } of await client.listAll(this.#old, { namespace })) {
      expect(spec.note).toBe(`note ${metadata.name.slice(1)}`)
    }
  }
}

inEveryWorld(
  'the storage version changes while two versions are in use and operators are upgraded',
  async (world) => {
    const { client, host } = world
    const { first, second, third, last } = releasesOf(world.group)
    const name = `disks.${world.group}`
    const options = { install: true, webhooks: {} }
    const disks = new Disks(world, third)
    const processes = [
      await world.start([operator(first).reconcile(async () => undefined)], options),
    ]
    await disks.create()
    processes.push(await world.start([operator(second).reconcile(async () => undefined)], options))
    await processes[0]?.stop()
    await world.eventually(() => client.get(third, 'd0'))
    const clients = Promise.all([disks.useOld(), disks.useNew()])
    processes.push(await world.start([operator(third).reconcile(async () => undefined)], options))
    const definition = await readDefinition(client, name)
    if (definition === undefined) throw new Error(`there is no CRD ${name}`)
    expect(definition).toMatchObject({ storage: 'v2', oldVersions: ['v1'] })
    const startMs = host.monotonicMs()
    let stopped: Promise<void> | undefined
    const result = await migrateDefinition(
      {
        client,
        host,
        signal: new AbortController().signal,
        concurrency: 20,
        pageSize: 500,
        onProgress: (done) => {
          // The pods of the old release end during the migration.
          if (done > counts[world.name] / 2) stopped ??= processes[1]?.stop()
        },
      },
      definition,
    )
    const seconds = (host.monotonicMs() - startMs) / 1000
    disks.isInUse = false
    await clients
    await stopped
    if (world.name === 'real') {
      console.info(`${result.done} objects in ${seconds} s, ${disks.requests} requests meanwhile`)
    }
    expect(result).toMatchObject({ state: 'migrated', done: counts[world.name], failures: [] })
    const { status } = await client.get(CustomResourceDefinition, name)
    expect(status?.storedVersions).toEqual(['v2'])
    await disks.check(third)
    await disks.checkNotes()
    await processes[2]?.stop()
    // The server could not read an object that is stored as v1 any more.
    await client.apply(CustomResourceDefinition, last.crd(), { force: true })
    await world.eventually(() => disks.check(last))
  },
)
