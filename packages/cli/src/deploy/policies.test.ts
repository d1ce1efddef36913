/** Deploys an operator that has only policies. */
import { expect, test } from 'vitest'
import { ConfigMap, Namespace, ValidatingAdmissionPolicy } from 'setpoint/kinds'
import { deployCommand } from '../commands/deploy-command.ts'
import { undeployCommand } from '../commands/undeploy-command.ts'
import { deployWorld } from './testdata/deploy-world.ts'

const name = (policy: string): string => `${policy}.map-rules.shop.shop-system`

test('policies alone are deployed without an image and without pods, and removed again', async () => {
  await using world = await deployWorld({ workloads: 'off' })
  const { client, call } = world
  const deployed = await call(deployCommand, 'map-rules.mjs')
  expect(deployed).toMatchObject({
    error: '',
    lines: [
      `create   ValidatingAdmissionPolicy ${name('sized')}`,
      `create   ValidatingAdmissionPolicyBinding ${name('sized')}`,
      `create   MutatingAdmissionPolicy ${name('team')}`,
      `create   MutatingAdmissionPolicyBinding ${name('team')}`,
      'deployed: policies need no pods',
    ],
  })
  const metadata = { name: 'a' }
  await expect(client.create(ConfigMap, { metadata, data: { a: '1' } })).rejects.toThrow(
    'has no size',
  )
  const created = await client.create(ConfigMap, { metadata, data: { size: '1' } })
  expect(created.metadata.labels).toEqual({ team: 'a' })
  expect((await call(deployCommand, 'map-rules.mjs')).lines).toEqual([
    '4 objects are unchanged',
    'deployed: policies need no pods',
  ])
  expect((await call(deployCommand, 'fewer-map-rules.mjs')).lines).toEqual([
    `delete   MutatingAdmissionPolicyBinding ${name('team')}`,
    `delete   MutatingAdmissionPolicy ${name('team')}`,
    '2 objects are unchanged',
    'deployed: policies need no pods',
  ])
  expect((await call(undeployCommand, 'fewer-map-rules.mjs')).lines).toEqual([
    `delete   ValidatingAdmissionPolicyBinding ${name('sized')}`,
    `delete   ValidatingAdmissionPolicy ${name('sized')}`,
    'undeployed',
  ])
  expect(await client.find(Namespace, 'shop-system')).toBeUndefined()
  await client.create(ConfigMap, { metadata: { name: 'b' } })
})

test('a policy with a wrong field is refused before the first request', async () => {
  await using world = await deployWorld({ workloads: 'off' })
  const { error } = await world.call(deployCommand, 'wrong-map-rules.mjs')
  expect(error).toContain("undefined field 'dates'")
  expect(await world.client.listAll(ValidatingAdmissionPolicy)).toEqual([])
})
