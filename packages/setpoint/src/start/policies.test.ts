import { expect, test } from 'vitest'
import { rule } from '../definition/index.ts'
import { ConfigMap, Secret, ValidatingAdmissionPolicy } from '../kinds/index.ts'
import { operator, rbacFor } from '../operator/index.ts'
import { createIdleWorld, createWorld } from './testdata/world.ts'

const maps = operator(ConfigMap, { name: 'map-rules' })

test('a policy refuses a request, without a server of the operator', async () => {
  const small = maps.policy('small', {
    rules: [
      rule("int(object.data['size']) <= int(params.data['max'])", {
        messageExpression: "'at most ' + params.data['max']",
      }),
    ],
    matchConditions: { sized: "has(object.data) && 'size' in object.data" },
    params: { kind: ConfigMap, name: 'limits', namespace: 'kube-system' },
  })
  await using world = await createWorld(small)
  const { client } = world
  const sized = (name: string, size: string) =>
    client.create(ConfigMap, { metadata: { name }, data: { size } })
  // Policies do not review kube-system, so that the parameters can be created.
  const metadata = { name: 'limits', namespace: 'kube-system' }
  await client.create(ConfigMap, { metadata, data: { max: '3' } })
  await sized('a', '3')
  await expect(sized('b', '4')).rejects.toMatchObject({
    status: {
      code: 422,
      message: expect.stringContaining(
        "ValidatingAdmissionPolicy 'small.map-rules' with binding 'small.map-rules' denied request: at most 3",
      ) as string,
    },
  })
})

test('a policy changes objects', async () => {
  const labelled = maps
    .policy('team', {
      mutations: [
        { applyConfiguration: "Object{metadata: Object.metadata{labels: {'team': 'a'}}}" },
      ],
    })
    .policy('size', {
      mutations: [
        {
          jsonPatch:
            "[JSONPatch{op: 'add', path: '/data', value: {'size': string(variables.size)}}]",
        },
      ],
      variables: { size: '1 + 2' },
      operations: ['CREATE'],
    })
  await using world = await createWorld(labelled)
  const created = await world.client.create(ConfigMap, { metadata: { name: 'a' } })
  expect([created.metadata.labels, created.data]).toEqual([{ team: 'a' }, { size: '3' }])
})

const none = maps.policy('none', { rules: [rule('false', 'no')] })

test('an operator with only policies sends no requests, and leaves kube-system alone', async () => {
  await using world = await createWorld(none)
  const { client, cluster } = world
  const metadata = { name: 'a' }
  await expect(client.create(ConfigMap, { metadata })).rejects.toThrow('denied request: no')
  await client.create(ConfigMap, { metadata: { ...metadata, namespace: 'kube-system' } })
  await client.create(Secret, { metadata })
  expect(cluster.trace.filter(({ user }) => user === 'operator')).toEqual([])
  expect(rbacFor([none])).toEqual([])
})

test('another process of a test has only its own policies', async () => {
  await using world = await createWorld(none)
  const metadata = { name: 'a' }
  await world.restart(maps.policy('other', { rules: [rule('true')] }))
  await world.client.create(ConfigMap, { metadata })
  const policies = await world.client.listAll(ValidatingAdmissionPolicy)
  expect(policies.map((policy) => policy.metadata.name)).toEqual(['other.map-rules'])
})

test('a process with install: true applies its policies, and labels them', async () => {
  await using world = await createIdleWorld([])
  await using _ = await world.start([none], { install: true })
  const metadata = { name: 'a' }
  await expect(world.client.create(ConfigMap, { metadata })).rejects.toThrow('denied request: no')
  const [policy] = await world.client.listAll(ValidatingAdmissionPolicy)
  expect(policy?.metadata.labels).toEqual({ 'setpoint.dev/installed-by': 'process' })
})
