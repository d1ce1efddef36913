/**
 * Runs operators with only their generated roles. The cases are not all combinations: every two
 * values of different features occur together in at least one of them.
 */
import { createCluster } from '@setpoint/cluster'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { type AnyOperator, defineResource, leaseName, operator, start } from 'setpoint'
import { connectionFromKubeconfig } from 'setpoint/client'
import { virtualHost } from 'setpoint/host'
import {
  ClusterRole,
  conditionOf,
  ConfigMap,
  CustomResourceDefinition,
  Namespace,
  Secret,
  Service,
} from 'setpoint/kinds'
import { connectionOf } from '../deploy/testdata/deploy-world.ts'
import type { ManifestSettings } from './manifest-settings.ts'
import { electionRole, operatorRoles, serviceAccount } from './rbac-objects.ts'

const spec = z.object({ text: z.string() })
const base = { group: 'example.com', version: 'v1', spec, conditions: ['Ready'] as const }
const Lamp = defineResource({ ...base, kind: 'Lamp' })
const Beacon = defineResource({ ...base, kind: 'Beacon', scope: 'Cluster' })
/** A kind that is not installed. */
const Missing = defineResource({ group: 'example.com', version: 'v1', kind: 'Missing', spec })

/** The features of an operator that decide its permissions. */
const features = {
  namespaces: ['all', 'option', 'project', 'selector'],
  served: ['Lamp', 'Beacon'],
  child: ['none', 'same', 'cross', 'cluster', 'retained', 'cross retained', 'createOnly'],
  missing: ['none', 'child', 'cross child'],
  election: ['on', 'off'],
  handler: ['none', 'create', 'delete', 'daemon', 'timer', 'reconcile'],
  watch: ['none', 'all', 'labelled'],
} as const

type Features = { readonly [Name in keyof typeof features]: (typeof features)[Name][number] }

const far = 'far'
const home = 'home'
const system = 'op-system'

/** An operator with exactly these features. */
function operatorOf(chosen: Features): AnyOperator {
  const { namespaces, served } = chosen
  const restricted =
    namespaces === 'option'
      ? { namespaces: [home] }
      : namespaces === 'selector'
        ? { namespaces: { labelSelector: 'served=yes' } }
        : {}
  const begin = () => operator(served === 'Lamp' ? Lamp : Beacon, restricted)
  const parts = [childOf(chosen), missingOf(chosen), watchOf(chosen), handlerOf(chosen)].map(
    (add) => add(begin()).declaration,
  )
  return {
    declaration: {
      ...begin().declaration,
      children: parts.flatMap(({ children }) => children),
      owns: parts.flatMap(({ owns }) => owns),
      watches: parts.flatMap(({ watches }) => watches),
      handlers: parts.flatMap(({ handlers }) => handlers),
      cleanUps: parts.flatMap(({ cleanUps }) => cleanUps),
      reconcile: parts.find(({ reconcile }) => reconcile !== undefined)?.reconcile,
    },
  }
}

type Begun = ReturnType<typeof operator<typeof Lamp>>
type Part = (begun: Begun) => AnyOperator

const unchanged: Part = (begun) => begun

/** The child. It is desired while the text is not empty. */
function childOf({ child }: Features): Part {
  if (child === 'none') return unchanged
  if (child === 'cluster') {
    return (begun) =>
      begun.child('role', ClusterRole, ({ metadata: { name }, spec: { text } }) =>
        text === '' ? null : { metadata: { name: `child-${name}`, labels: { text } }, rules: [] },
      )
  }
  const crossNamespace = child.startsWith('cross')
  const deletion = child.endsWith('retained') ? 'retain' : 'background'
  const options = { crossNamespace, deletion, createOnly: child === 'createOnly' } as const
  const namespace = crossNamespace ? far : home
  return (begun) =>
    begun.child('config', ConfigMap, options, ({ metadata: { name }, spec: { text } }) =>
      text === '' ? null : { metadata: { name, namespace }, data: { text } },
    )
}

/** A child of a kind that is not installed. */
function missingOf({ missing }: Features): Part {
  if (missing === 'none') return unchanged
  const options = { includeWhen: () => false, crossNamespace: missing === 'cross child' }
  return (begun) => begun.child('missing', Missing, options, () => ({ spec: { text: '' } }))
}

function watchOf({ watch }: Features): Part {
  if (watch === 'none') return unchanged
  const options = watch === 'all' ? {} : { labelSelector: 'a=b' }
  return (begun) => begun.watch(Service, () => [], options)
}

function handlerOf({ handler }: Features): Part {
  const event = { type: 'Normal', reason: 'Called', message: 'called' } as const
  return {
    none: unchanged,
    create: (begun: Begun) =>
      begun.onCreate(async function hello(_, ctx) {
        await ctx.recordEvent(event)
      }),
    delete: (begun: Begun) =>
      begun.onDelete(async function bye(_, ctx) {
        await ctx.recordEvent(event)
      }),
    daemon: (begun: Begun) =>
      begun.daemon(async function follow(_, { signal }) {
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      }),
    timer: (begun: Begun) => begun.every('1h', async function look() {}),
    reconcile: (begun: Begun) =>
      begun.owns(Secret).reconcile(async ({ metadata: { name } }, ctx) => {
        await ctx.apply(Secret, { metadata: { name, namespace: home } })
      }),
  }[handler]
}

/** Combinations of features in which every two values of different features occur together. */
function pairwise(): Features[] {
  const names = Object.keys(features) as (keyof Features)[]
  const all = names.reduce<readonly Partial<Features>[]>(
    (some, name) =>
      some.flatMap((one) => features[name].map((value) => ({ ...one, [name]: value }))),
    [{}],
  ) as readonly Features[]
  const pairsOf = (one: Features): string[] =>
    names.flatMap((name, index) =>
      names.slice(index + 1).map((other) => `${name} ${one[name]} ${other} ${one[other]}`),
    )
  const pairs = new Map(all.map((one) => [one, pairsOf(one)]))
  const missing = new Set([...pairs.values()].flat())
  const chosen: Features[] = []
  while (missing.size > 0) {
    let [best, most] = [all[0], 0]
    for (const [one, its] of pairs) {
      const gain = its.filter((pair) => missing.has(pair)).length
      if (gain > most) [best, most] = [one, gain]
    }
    if (best === undefined) break
    for (const pair of pairs.get(best) ?? []) missing.delete(pair)
    chosen.push(best)
  }
  return chosen
}

async function createWorld() {
  const host = virtualHost({ seed: 3 })
  const cluster = await createCluster({ host, workloads: 'off' })
  const { client } = cluster
  for (const { crd } of [Lamp, Beacon]) await client.create(CustomResourceDefinition, crd())
  for (const name of [home, far, system]) {
    const labels = name === home ? { served: 'yes' } : {}
    await client.create(Namespace, { metadata: { name, labels } })
  }
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  return {
    host,
    cluster,
    client,
    connection,
    [Symbol.asyncDispose]: async () => {
      await cluster.dispose()
      host.stop()
    },
  }
}

type World = Awaited<ReturnType<typeof createWorld>>

/**
 * Runs an operator through the life of one object, as a ServiceAccount with only the generated
 * roles. Returns what went wrong.
 */
async function problemsOf(world: World, chosen: Features, name: string): Promise<string[]> {
  const { host, client, cluster } = world
  const one = operatorOf(chosen)
  const watch = chosen.namespaces === 'project' ? [home] : undefined
  const settings: ManifestSettings = {
    name,
    sharedName: name,
    namespace: system,
    image: 'example.com/op:1',
    replicas: 1,
    watch,
    lease: undefined,
    workload: {},
    monitoring: undefined,
    networkPolicy: undefined,
    disruptionBudget: false,
  }
  const isElected = chosen.election === 'on'
  const roles = [
    serviceAccount(settings),
    ...operatorRoles([one], settings),
    ...(isElected ? electionRole([one], settings) : []),
  ]
  for (const { kind, manifest } of roles) await client.create(kind, manifest as never)
  const from = cluster.trace.length
  const running = await start([one], {
    host,
    connection: await connectionOf(world, { name, namespace: system }),
    namespaces: watch,
    election: isElected ? { name: leaseName([one], watch), namespace: system } : undefined,
  })
  const problems: string[] = []
  const expectThat = (what: string, isTrue: boolean): void => {
    if (!isTrue) problems.push(what)
  }
  const Served = chosen.served === 'Lamp' ? Lamp : Beacon
  const object = chosen.served === 'Lamp' ? { name, namespace: home } : { name }
  const setText = async (text: string): Promise<void> => {
    await client.patch(Served, object, { merge: { spec: { text } } })
    await host.sleep(5_000)
  }
  const textOfChild = async (): Promise<string | undefined> => {
    if (chosen.child === 'cluster') {
      return (await client.find(ClusterRole, `child-${name}`))?.metadata.labels?.['text']
    }
    const namespace = chosen.child.startsWith('cross') ? far : home
    return (await client.find(ConfigMap, { name, namespace }))?.data?.['text']
  }
  const hasChild = chosen.child !== 'none'
  const isRetained = chosen.child.endsWith('retained')
  await client.create(Served, { metadata: object, spec: { text: 'a' } })
  await host.sleep(10_000)
  const ready = conditionOf(await client.get(Served, object), 'Ready')
  expectThat(`is not Ready: ${ready?.message ?? 'no condition'}`, ready?.status === 'True')
  expectThat('did not create the child', !hasChild || (await textOfChild()) === 'a')
  await setText('b')
  const text = chosen.child === 'createOnly' ? 'a' : 'b'
  expectThat('did not change the child', !hasChild || (await textOfChild()) === text)
  await setText('')
  const left = isRetained ? 'b' : undefined
  expectThat('did not prune the child, or pruned it', (await textOfChild()) === left)
  await setText('c')
  await client.beginDelete(Served, object)
  await host.sleep(10_000)
  expectThat('did not complete the deletion', (await client.find(Served, object)) === undefined)
  const isDeletedBySetpoint =
    ['cross', 'cluster'].includes(chosen.child) && chosen.served === 'Lamp'
  if (isRetained) expectThat('deleted a retained child', (await textOfChild()) === 'c')
  if (isDeletedBySetpoint) expectThat('left the child', (await textOfChild()) === undefined)
  await running.stop()
  const user = `system:serviceaccount:${system}:${name}`
  const refused = cluster.trace
    .slice(from)
    .filter((entry) => entry.user === user && entry.code === 403 && !isCrdRead(entry.path))
  return [...problems, ...new Set(refused.map(({ verb, path }) => `refused: ${verb} ${path}`))]
}

/** An operator without cluster-wide rules tries to read its CRD, and starts without it. */
function isCrdRead(path: string): boolean {
  return path.startsWith('/apis/apiextensions.k8s.io/v1/customresourcedefinitions/')
}

test('every two features work together with only the generated roles', async () => {
  await using world = await createWorld()
  const failed: unknown[] = []
  for (const [index, chosen] of pairwise().entries()) {
    const problems = await problemsOf(world, chosen, `op-${index}`)
    if (problems.length > 0) failed.push({ ...chosen, problems })
  }
  expect(failed).toEqual([])
})
