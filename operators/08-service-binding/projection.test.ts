import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject } from 'setpoint/schema'
import '../../test/property-seed.ts'
import { type Mapping, mappingFor } from './mapping.ts'
import { inOrderOf, project, type Projection, unproject } from './projection.ts'

const podMapping = mappingFor(undefined, 'v1')

const db: Projection = { uid: 'uid-a', name: 'db', secret: 'db-secret', env: [] }

/** A Deployment with one container. */
function deployment(container: JsonObject = {}, pod: JsonObject = {}): JsonObject {
  const containers = [{ name: 'web', image: 'web', ...container }]
  return { metadata: { name: 'web' }, spec: { template: { spec: { containers, ...pod } } } }
}

interface Pod {
  readonly containers: readonly JsonObject[]
  readonly initContainers?: readonly JsonObject[]
  readonly volumes?: readonly JsonObject[]
}

function podOf(workload: JsonObject): Pod {
  return (workload as unknown as { spec: { template: { spec: Pod } } }).spec.template.spec
}

test('mounts the Secret below the root, and sets the root', () => {
  const { containers, volumes } = podOf(project(deployment(), db, podMapping))
  const name = 'servicebinding-uid-a'
  expect(containers).toEqual([
    {
      name: 'web',
      image: 'web',
      env: [{ name: 'SERVICE_BINDING_ROOT', value: '/bindings' }],
      volumeMounts: [{ name, mountPath: '/bindings/db', readOnly: true }],
    },
  ])
  const sources = [{ secret: { name: 'db-secret' } }]
  expect(volumes).toEqual([{ name, projected: { defaultMode: 420, sources } }])
})

test('uses the root that the container has, and never changes it', () => {
  const env = [{ name: 'SERVICE_BINDING_ROOT', value: '/run/bindings/' }]
  const bound = project(deployment({ env }), db, podMapping)
  const [container] = podOf(bound).containers
  expect(container).toMatchObject({ env, volumeMounts: [{ mountPath: '/run/bindings/db' }] })
  expect(podOf(unproject(bound, db.uid)).containers[0]).toMatchObject({ env })
})

test('follows a root that the owner of the workload sets later', () => {
  const bound = project(deployment(), db, podMapping)
  const [container] = podOf(bound).containers as [{ env: JsonObject[] }]
  container.env = [{ name: 'SERVICE_BINDING_ROOT', value: '/other' }]
  const again = project(bound, db, podMapping)
  expect(podOf(again).containers[0]).toMatchObject({
    env: [{ value: '/other' }],
    volumeMounts: [{ mountPath: '/other/db' }],
  })
})

test('overrides type and provider by annotations of the pods, for files and variables', () => {
  const env = [
    { name: 'DB_TYPE', key: 'type' },
    { name: 'DB_HOST', key: 'host' },
  ]
  const bound = project(deployment(), { ...db, type: 'mysql', provider: 'us', env }, podMapping)
  expect(bound).toMatchObject({
    spec: {
      template: {
        metadata: {
          annotations: {
            'binding.setpoint.dev/type-uid-a': 'mysql',
            'binding.setpoint.dev/provider-uid-a': 'us',
          },
        },
      },
    },
  })
  const fieldOf = (key: string) => ({
    apiVersion: 'v1',
    fieldPath: `metadata.annotations['binding.setpoint.dev/${key}-uid-a']`,
  })
  const { containers, volumes } = podOf(bound)
  expect(volumes).toMatchObject([
    {
      projected: {
        sources: [
          { secret: { name: 'db-secret' } },
          { downwardAPI: { items: [{ path: 'type', fieldRef: fieldOf('type') }] } },
          { downwardAPI: { items: [{ path: 'provider', fieldRef: fieldOf('provider') }] } },
        ],
      },
    },
  ])
  expect(containers[0]?.['env']).toEqual([
    { name: 'SERVICE_BINDING_ROOT', value: '/bindings' },
    { name: 'DB_HOST', valueFrom: { secretKeyRef: { name: 'db-secret', key: 'host' } } },
    { name: 'DB_TYPE', valueFrom: { fieldRef: fieldOf('type') } },
  ])
})

test.each([
  [undefined, ['web', 'sidecar', 'setup']],
  [['sidecar', 'unknown'], ['sidecar']],
  [[], []],
])('with the containers %j, exactly %j are bound', (containers, bound) => {
  const others = { initContainers: [{ name: 'setup' }] }
  const workload = deployment({}, others)
  ;(podOf(workload).containers as JsonObject[]).push({ name: 'sidecar' })
  const pod = podOf(project(workload, { ...db, containers }, podMapping))
  const all = [...pod.containers, ...(pod.initContainers ?? [])]
  expect(all.filter((one) => 'volumeMounts' in one).map(({ name }) => name)).toEqual(bound)
})

test('binds containers anywhere, by the paths of a mapping', () => {
  const mapping: Mapping = {
    annotations: '.spec.note',
    volumes: ".spec['disks']",
    containers: [{ path: '.spec.parts[?(@.role=="app")].run', env: '.vars', volumeMounts: '.at' }],
  }
  const parts = [
    { role: 'app', run: { cmd: 'a' } },
    { role: 'db', run: {} },
  ]
  const workload = { metadata: {}, spec: { parts } } satisfies JsonObject
  const bound = project(workload, { ...db, type: 'x' }, mapping)
  expect(bound['spec']).toMatchObject({
    note: { 'binding.setpoint.dev/type-uid-a': 'x' },
    disks: [{ name: 'servicebinding-uid-a' }],
    parts: [
      { run: { cmd: 'a', vars: [{ value: '/bindings' }], at: [{ mountPath: '/bindings/db' }] } },
      { role: 'db', run: {} },
    ],
  })
  expect(unproject(bound, db.uid)).toEqual(workload)
})

test('after a change of the mapping, the projection is removed by the old one', () => {
  const path = '.spec.template.spec.containers[*]'
  const before = { ...podMapping, containers: [{ path, env: '.a', volumeMounts: '.b' }] }
  const moved = project(project(deployment(), db, before), db, podMapping)
  expect(moved).toEqual(project(deployment(), db, podMapping))
})

test.each([
  [{ volumeMounts: [{ name: 'x', mountPath: '/bindings/db' }] }, 'already has a volume'],
  [{ env: [{ name: 'HOST', value: 'x' }] }, 'already has the environment variable HOST'],
  [{ env: [{ name: 'SERVICE_BINDING_ROOT', value: '$(HOME)/b' }] }, 'without variables'],
  [{ env: 'x' }, 'is not a list'],
])('refuses a container with %j', (container, message) => {
  const binding = { ...db, env: [{ name: 'HOST', key: 'host' }] }
  expect(() => project(deployment(container as JsonObject), binding, podMapping)).toThrow(message)
})

test('refuses a workload whose annotation of a binding was edited', () => {
  const bound = project(deployment(), db, podMapping)
  for (const text of ['{', '{"mapping":{}}']) {
    const annotations = { 'binding.setpoint.dev/uid-a': text }
    const edited = { ...bound, metadata: { annotations } }
    expect(() => unproject(edited, db.uid)).toThrow('the annotation binding.setpoint.dev/uid-a was')
  }
})

test('refuses an object without containers', () => {
  expect(() => project({ data: {} }, db, podMapping)).toThrow('it has no containers at .spec')
})

// Random workloads and bindings.
const text = fc.constantFrom('a', 'b', 'c', 'd')
const variables = fc.uniqueArray(fc.record({ name: text, value: text }), {
  selector: ({ name }) => name,
})
const mounts = fc.uniqueArray(fc.record({ name: text, mountPath: text }), {
  selector: ({ mountPath }) => mountPath,
})
const root = fc.constantFrom([], [{ name: 'SERVICE_BINDING_ROOT', value: '/r' }])
const containers = fc.uniqueArray(
  fc.record(
    {
      name: text,
      env: fc.tuple(variables, root).map((both) => both.flat()),
      volumeMounts: mounts,
    },
    { requiredKeys: ['name'] },
  ),
  { selector: ({ name }) => name, minLength: 1 },
)
const workloads = fc
  .record({
    containers,
    volumes: fc.option(fc.array(fc.record({ name: text })), { nil: undefined }),
    metadata: fc.option(fc.constantFrom({}, { annotations: {} }, { annotations: { a: 'b' } })),
    annotations: fc.option(fc.constant({ x: 'y' })),
  })
  .map(({ containers: all, volumes, metadata, annotations }): JsonObject => ({
    metadata: { name: 'w', ...(annotations === null ? {} : { annotations }) },
    spec: {
      template: {
        ...(metadata === null ? {} : { metadata }),
        spec: { containers: all, ...(volumes === undefined ? {} : { volumes }) },
      } as JsonObject,
    },
  }))
const bindingOf = (uid: string) =>
  fc.record({
    uid: fc.constant(uid),
    name: fc.constant(`name-${uid}`),
    secret: text,
    type: fc.option(text, { nil: undefined }),
    provider: fc.option(text, { nil: undefined }),
    env: fc.uniqueArray(
      fc.record({ name: text.map((one) => `${uid}-${one}`), key: fc.constantFrom('type', 'host') }),
      {
        selector: ({ name }) => name,
      },
    ),
    containers: fc.option(fc.uniqueArray(text), { nil: undefined }),
  })
const [one, other] = [bindingOf('1'), bindingOf('2')]
const runs = { numRuns: 100 }

test('unbinding restores the workload exactly', () => {
  const restores = fc.property(workloads, one, (workload, binding) => {
    expect(unproject(project(workload, binding, podMapping), binding.uid)).toEqual(workload)
  })
  fc.assert(restores, runs)
})

test('binding again changes nothing', () => {
  const repeats = fc.property(workloads, one, (workload, binding) => {
    const bound = project(workload, binding, podMapping)
    expect(project(bound, binding, podMapping)).toEqual(bound)
  })
  fc.assert(repeats, runs)
})

test('the order of two bindings does not matter, neither for binding nor for unbinding', () => {
  const commutes = fc.property(workloads, one, other, (workload, a, b) => {
    const ab = project(project(workload, a, podMapping), b, podMapping)
    expect(ab).toEqual(project(project(workload, b, podMapping), a, podMapping))
    expect(unproject(ab, a.uid)).toEqual(project(workload, b, podMapping))
    expect(unproject(unproject(ab, a.uid), b.uid)).toEqual(workload)
    expect(unproject(unproject(ab, b.uid), a.uid)).toEqual(workload)
  })
  fc.assert(commutes, runs)
})

test('an item that another program adds changes no other place of the pods', () => {
  const binding = { ...db, env: [{ name: 'A', key: 'a' }] }
  const live = project(deployment(), binding, podMapping)
  const [container] = podOf(live).containers as [{ env: JsonObject[] }]
  container.env.push({ name: 'ADDED', value: 'later' })
  const again = inOrderOf(live, project(live, binding, podMapping), podMapping)
  expect(podOf(again)).toEqual(podOf(live))
  // The list is no longer there for the binding only.
  expect(podOf(unproject(again, db.uid)).containers[0]?.['env']).toEqual([
    { name: 'ADDED', value: 'later' },
  ])
})
