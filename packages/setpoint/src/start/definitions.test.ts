import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource } from '../definition/index.ts'
import { readText, type VirtualHost } from '../host/index.ts'
import { ClusterRole, ConfigMap, CustomResourceDefinition } from '../kinds/index.ts'
import { operator, rbacFor } from '../operator/index.ts'
import type { CrdManifest } from '../schema/index.ts'
import type { StartOptions } from './index.ts'
import { createIdleWorld } from './testdata/world.ts'

const defined = (spec: z.ZodObject) =>
  defineResource({ group: 'example.com', version: 'v1', kind: 'Widget', spec })

const Widget = defined(z.object({ text: z.string() }))
const OldWidget = defined(z.object({ text: z.string().min(3), more: z.string().optional() }))
const name = 'widgets.example.com'

const widgets = operator(Widget).child('config', ConfigMap, () => ({ data: { a: 'b' } }))

async function createWorld() {
  const world = await createIdleWorld([], { seed: 3 })
  const { host, client } = world
  return {
    ...world,
    install: (crd: CrdManifest) => client.create(CustomResourceDefinition, crd),
    installed: () => client.get(CustomResourceDefinition, name),
    startAll: world.start,
    start: (options: StartOptions = {}) =>
      world.start([widgets], { probes: { port: 8081 }, ...options }),
    warnings: () =>
      host.logged
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ level }) => level === 40),
  }
}

async function readiness(host: VirtualHost, url: string | undefined): Promise<[number, string]> {
  const { status, body } = await host.request({
    method: 'GET',
    url: `${url ?? ''}/readyz?verbose`,
  })
  return [status, await readText(body, 100_000)]
}

test('logs nothing for a definition that is installed as expected', async () => {
  await using world = await createWorld()
  await world.install(Widget.crd())
  await using running = await world.start()
  await world.host.sleep(1000)
  expect(world.warnings()).toEqual([])
  const [status, text] = await readiness(world.host, running.probesUrl)
  expect(status).toBe(200)
  expect(text).toContain(`[+]definition ${name} ok\n`)
})

test('warns about a missing definition, is not ready, and waits for it', async () => {
  await using world = await createWorld()
  await using running = await world.start()
  await world.host.sleep(1000)
  expect(world.warnings()).toMatchObject([
    { crd: name, msg: expect.stringContaining('is not installed') as string },
  ])
  const [status, text] = await readiness(world.host, running.probesUrl)
  expect(status).toBe(500)
  expect(text).toContain(`[-]definition ${name}: its CRD is not installed`)
  await world.install(OldWidget.crd())
  await world.host.sleep(60_000)
  const [later] = await readiness(world.host, running.probesUrl)
  expect(later).toBe(200)
  // The CRD that was installed is compared, too.
  expect(world.warnings().slice(1)).toMatchObject([
    { crd: name, msg: expect.stringContaining('differs from the operator') as string },
  ])
  await world.client.create(Widget, { metadata: { name: 'a' }, spec: { text: 'abc' } })
  await world.host.sleep(1000)
  expect((await world.client.get(ConfigMap, 'a')).data).toEqual({ a: 'b' })
})

test('warns about a different definition with its differences, and works', async () => {
  await using world = await createWorld()
  await world.install(OldWidget.crd())
  await using running = await world.start()
  await world.host.sleep(1000)
  const path = 'versions.v1.schema.properties.spec.properties'
  expect(world.warnings()).toMatchObject([
    {
      crd: name,
      differences: [
        `${path}.more: {type} is installed, nothing is expected`,
        `${path}.text.minLength: 3 is installed, nothing is expected`,
      ],
    },
  ])
  const [status, text] = await readiness(world.host, running.probesUrl)
  expect(status).toBe(200)
  expect(text).toContain(`[+]definition ${name} ok: the installed CRD differs in 2 places`)
})

test('installs a terminating definition after its deletion, and removes finalizers from its objects', async () => {
  await using world = await createWorld()
  await world.install(Widget.crd())
  await world.client.create(Widget, {
    metadata: { name: 'old', finalizers: ['example.com/setpoint-widgets'] },
    spec: { text: 'abc' },
  })
  await world.client.delete(CustomResourceDefinition, name)
  await world.host.sleep(1000)
  const { uid } = (await world.installed()).metadata
  await using _ = await world.start({ install: true })
  await world.host.sleep(60_000)
  expect((await world.installed()).metadata.uid).not.toBe(uid)
  expect(world.warnings()).toMatchObject([
    { crd: name, msg: expect.stringContaining('is terminating') as string },
  ])
  await world.client.create(Widget, { metadata: { name: 'new' }, spec: { text: 'abc' } })
  await world.host.sleep(1000)
  expect((await world.client.get(ConfigMap, 'new')).data).toEqual({ a: 'b' })
})

test('logs the first twenty of many differences', async () => {
  await using world = await createWorld()
  const fields = Array.from({ length: 30 }, (_, index) => [`field${index}`, z.string().optional()])
  const shape = Object.fromEntries(fields) as Record<string, z.ZodType>
  await world.install(defined(z.object({ text: z.string(), ...shape })).crd())
  await using running = await world.start()
  void running
  const [warning] = world.warnings()
  const differences = warning?.['differences'] as string[]
  expect(differences).toHaveLength(21)
  expect(differences.at(-1)).toBe('and 10 more')
})

test('installs and updates the definition, and waits until it is served', async () => {
  await using world = await createWorld()
  const first = await world.start({ install: true })
  const { status, metadata } = await world.installed()
  expect(status?.conditions?.map(({ type, status: is }) => `${type} ${is}`)).toContain(
    'Established True',
  )
  expect(metadata.managedFields?.map(({ manager }) => manager)).toContain('setpoint')
  await first.stop()
  await world.client.replace(CustomResourceDefinition, {
    ...(await world.installed()),
    spec: OldWidget.crd().spec,
  } as never)
  await using second = await world.start({ install: true })
  void second
  expect(world.warnings()).toEqual([])
  expect(JSON.stringify((await world.installed()).spec.versions)).not.toContain('minLength')
})

test('refuses to install versions whose conversion is not served', async () => {
  await using world = await createWorld()
  const Converted = defineResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Widget',
    spec: z.object({ text: z.string() }),
    versions: {
      v1beta1: {
        spec: z.object({ words: z.string() }),
        up: ({ spec: { words } }) => ({ spec: { text: words } }),
        down: ({ spec: { text } }) => ({ spec: { words: text } }),
      },
    },
  })
  const refused = world.startAll([operator(Converted)], { install: true, webhooks: false })
  await expect(refused).rejects.toMatchObject({ code: 'CONVERSION_NOT_SERVED' })
  expect(await world.client.find(CustomResourceDefinition, name)).toBeUndefined()
})

test('needs no right to read definitions, and derives the rights to install them', async () => {
  await using world = await createWorld()
  await world.install(Widget.crd())
  const rules = rbacFor([widgets], { installsCrds: true })
  const connection = await world.connectAs(rules)
  const installing = await world.start({ connection, install: true })
  await installing.stop()
  await world.client.patch(ClusterRole, 'operator', { merge: { rules: rbacFor([widgets]) } })
  await using running = await world.start({ connection, logLevel: 'debug' })
  void running
  expect(world.warnings()).toEqual([])
  expect(world.host.logged.join()).toContain('the role does not allow reading it')
  const refusal = world.start({ connection, install: true, probes: { port: 8082 } })
  await expect(refusal).rejects.toMatchObject({ code: 'API_FORBIDDEN' })
  const freed = await world.host.listen({ port: 8082, handle: async () => ({ status: 200 }) })
  await freed.close({ graceMs: 0 })
})
