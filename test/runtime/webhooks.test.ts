import { expect } from 'vitest'
import * as z from 'zod'
import { type AnyOperator, defineResource, operator, policyObjects, problem, rule } from 'setpoint'
import {
  ConfigMap,
  defineKind,
  Deployment,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  Secret,
  type StoredMetadata,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from 'setpoint/kinds'
import { inEveryWorld } from './in-every-world.ts'
import type { OperatorProcess, World } from './world.ts'

/** The API server calls them at an address of this machine. */
function startWithWebhooks(world: World, ...operators: AnyOperator[]): Promise<OperatorProcess> {
  return world.start(operators, { install: true, webhooks: {} })
}

inEveryWorld('functions review requests for own and built-in kinds', async (world) => {
  const App = defineResource({
    group: world.group,
    version: 'v1',
    kind: 'App',
    spec: z.object({ image: z.string(), replicas: z.int32().default(1) }),
  })
  const inWorld = { namespaceSelector: { 'kubernetes.io/metadata.name': world.namespace } }
  const apps = operator(App)
    .validate(({ spec }, { warn }) => {
      if (spec.image.endsWith(':latest')) warn('the tag latest changes')
      return spec.replicas > 100 ? [problem('spec.replicas', 'at most 100')] : []
    })
    .mutate((app) => {
      if (!app.spec.image.includes(':')) app.spec.image += ':latest'
    })
  const maps = operator(ConfigMap, { name: `maps.${world.group}` }).validate(
    ({ data }, { operation, old, user }) =>
      operation === 'DELETE' && data?.['keep'] === 'yes'
        ? [`${user.username} must not delete it`]
        : data?.['size'] === old?.data?.['size'] || operation === 'CREATE'
          ? []
          : [problem('data.size', 'is fixed', { type: 'Forbidden' })],
    { operations: ['CREATE', 'UPDATE', 'DELETE'], ...inWorld },
  )
  const scales = operator(Deployment, { name: `scales.${world.group}` }).validate(
    ({ spec }) => ((spec?.replicas ?? 0) > 3 ? [problem('spec.replicas', 'at most 3')] : []),
    { subresource: 'scale', operations: ['UPDATE'], ...inWorld },
  )
  const process = await startWithWebhooks(world, apps, maps, scales)
  const { client } = world
  const app = { metadata: { name: 'a' }, spec: { image: 'web' } }
  // A real API server notices new configurations after a moment.
  await world.eventually(async () => {
    const tried = await client.create(App, app, { dryRun: true })
    expect(tried.spec.image).toBe('web:latest')
    const invalid = { ...app, spec: { image: 'web', replicas: 200 } }
    await expect(client.create(App, invalid, { dryRun: true })).rejects.toThrow('at most 100')
  })
  const created = await client.create(App, app)
  expect(created.spec).toEqual({ image: 'web:latest', replicas: 1 })
  const large = client.create(App, { metadata: { name: 'b' }, spec: { image: 'w', replicas: 200 } })
  await expect(large).rejects.toMatchObject({
    status: {
      code: 422,
      reason: 'Invalid',
      message: `admission webhook "validate.apps.${world.group}" denied the request: App.${world.group} "b" is invalid: spec.replicas: Invalid value: 200: at most 100`,
      details: {
        causes: [
          {
            reason: 'FieldValueInvalid',
            message: 'Invalid value: 200: at most 100',
            field: 'spec.replicas',
          },
        ],
      },
    },
  })
  const metadata = { name: 'm' }
  await client.create(ConfigMap, { metadata, data: { size: '1', keep: 'yes' } })
  await expect(
    client.patch(ConfigMap, 'm', { merge: { data: { size: '2' } } }),
  ).rejects.toMatchObject({ status: { details: { causes: [{ field: 'data.size' }] } } })
  await expect(client.delete(ConfigMap, 'm')).rejects.toThrow('must not delete it')
  await client.patch(ConfigMap, 'm', { merge: { data: { keep: 'no' } } })
  await client.delete(ConfigMap, 'm')
  const template = {
    metadata: { labels: { a: 'b' } },
    spec: { containers: [{ name: 'c', image: 'i' }] },
  }
  const spec = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template }
  await client.create(Deployment, { metadata: { name: 'web' }, spec })
  await client.setScale(Deployment, 'web', { replicas: 3 })
  await expect(client.setScale(Deployment, 'web', { replicas: 4 })).rejects.toMatchObject({
    status: { code: 422, details: { causes: [{ field: 'spec.replicas' }] } },
  })
  await process.stop()
})

inEveryWorld(
  'functions that fail refuse clearly, or pass, by their failure policy',
  async (world) => {
    const inWorld = { namespaceSelector: { 'kubernetes.io/metadata.name': world.namespace } }
    const strict = operator(Secret, { name: `strict.${world.group}` }).validate(
      async function lookUp() {
        throw new Error('no database')
      },
      inWorld,
    )
    const lenient = operator(ConfigMap, { name: `lenient.${world.group}` }).validate(
      async function lookUp() {
        throw new Error('no database')
      },
      { ...inWorld, failurePolicy: 'Ignore' },
    )
    const process = await startWithWebhooks(world, strict, lenient)
    const { client } = world
    await world.eventually(() =>
      expect(client.create(Secret, { metadata: { name: 's' } })).rejects.toMatchObject({
        status: {
          code: 500,
          message: `admission webhook "look-up.secrets.strict.${world.group}.setpoint.dev" denied the request: the function look-up of .validate for Secret failed: no database`,
        },
      }),
    )
    await client.create(ConfigMap, { metadata: { name: 'm' } })
    await process.stop()
  },
)

inEveryWorld('two versions of a definition are in use at the same time', async (world) => {
  const { group, client } = world
  const Disk = defineResource({
    group,
    version: 'v2',
    kind: 'Disk',
    spec: z.object({ size: z.object({ value: z.int32(), unit: z.enum(['Gi', 'Ti']) }) }),
    versions: {
      v1: {
        spec: z.object({ sizeGi: z.int32() }),
        up: ({ spec }) => ({ spec: { size: { value: spec.sizeGi, unit: 'Gi' } } }),
        down: ({ spec: { size } }) => ({
          spec: { sizeGi: size.value * (size.unit === 'Gi' ? 1 : 1024) },
        }),
      },
    },
  })
  interface OldDisk {
    apiVersion: string
    kind: 'Disk'
    metadata: StoredMetadata<'Namespaced'>
    spec: { sizeGi: number }
  }
  const OldDisk = defineKind<OldDisk>({
    apiVersion: `${group}/v1`,
    kind: 'Disk',
    plural: 'disks',
    singular: 'disk',
    scope: 'Namespaced',
  })
  const disks = operator(Disk).child('map', ConfigMap, ({ spec: { size } }) => ({
    data: { size: `${size.value}${size.unit}` },
  }))
  const process = await startWithWebhooks(world, disks)
  await client.create(OldDisk, { metadata: { name: 'old' }, spec: { sizeGi: 5 } })
  const spec = { size: { value: 2, unit: 'Ti' as const } }
  await client.create(Disk, { metadata: { name: 'new' }, spec })
  await world.eventually(async () => {
    expect((await client.get(ConfigMap, 'old')).data).toEqual({ size: '5Gi' })
    expect((await client.get(ConfigMap, 'new')).data).toEqual({ size: '2Ti' })
  })
  const old = await client.listAll(OldDisk, { namespace: world.namespace })
  expect(old.map((disk) => disk.spec.sizeGi)).toEqual([2048, 5])
  for (const name of ['old', 'new']) await client.delete(Disk, name)
  await process.stop()
})

const policyKinds = {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
}

inEveryWorld('policies refuse and change objects without a server', async (world) => {
  const { client, namespace } = world
  const namespaceSelector = { 'kubernetes.io/metadata.name': namespace }
  const maps = operator(ConfigMap, { name: `maps.${world.group}` })
    .policy('small', {
      rules: [
        rule("int(object.data['size']) <= int(params.data['max'])", {
          messageExpression: "'at most ' + params.data['max']",
        }),
        { expression: "object.data['size'] != '0'", message: 'not 0', reason: 'Forbidden' },
      ],
      matchConditions: { sized: "has(object.data) && 'size' in object.data" },
      params: { kind: ConfigMap, name: 'limits', namespace },
      namespaceSelector,
    })
    .policy('team', {
      variables: { team: "'a'" },
      mutations: [
        {
          applyConfiguration:
            "Object{metadata: Object.metadata{labels: {'team': string(variables.team)}}}",
        },
        {
          jsonPatch:
            "[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a/b'), value: 'c'}]",
        },
      ],
      operations: ['CREATE'],
      namespaceSelector,
    })
  await client.create(ConfigMap, { metadata: { name: 'limits' }, data: { max: '3' } })
  const process = await world.start([maps], { install: true })
  const create = (size: string, dryRun = false) =>
    client.create(ConfigMap, { metadata: { name: `size-${size}` }, data: { size } }, { dryRun })
  // A real API server notices new policies after a moment.
  await world.eventually(async () => {
    await expect(create('4', true)).rejects.toThrow('at most 3')
    expect((await create('1', true)).metadata.labels).toEqual({ team: 'a', 'a/b': 'c' })
  })
  const name = `small.maps.${world.group}`
  await expect(create('4')).rejects.toMatchObject({
    status: {
      code: 422,
      reason: 'Invalid',
      message: `configmaps "size-4" is forbidden: ValidatingAdmissionPolicy '${name}' with binding '${name}' denied request: at most 3`,
    },
  })
  await expect(create('0')).rejects.toMatchObject({ status: { code: 403, reason: 'Forbidden' } })
  await create('3')
  await process.stop()
  const own = policyObjects([maps]).map(({ kind, metadata }) => ({ kind, name: metadata.name }))
  for (const { kind, name: object } of own) {
    await client.delete(policyKinds[kind], object)
  }
})
