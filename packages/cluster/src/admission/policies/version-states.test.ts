import { readText, virtualHost } from 'setpoint/host'
import { expect, test } from 'vitest'
import { createCluster } from '../../cluster/index.ts'

const registration = '/apis/admissionregistration.k8s.io/v1'
const group = 'gears.example.com'

async function createWorld() {
  const host = virtualHost({ seed: 'version states' })
  const options = { host, workloads: 'off', auth: 'off', tls: 'off' } as const
  const cluster = await createCluster(options)
  const post = async (path: string, object: object) => {
    const response = await host.request({
      method: 'POST',
      url: cluster.url + path,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(object),
    })
    const text = await readText(response.body, 1_000_000)
    expect(response.status, text).toBe(201)
    return JSON.parse(text) as { metadata: { labels?: Record<string, string> } }
  }
  const schema = { openAPIV3Schema: { type: 'object', properties: { size: { type: 'integer' } } } }
  await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: `gears.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'gears', kind: 'Gear' },
      versions: [
        { name: 'v1', served: true, storage: true, schema },
        { name: 'v2', served: true, storage: false, schema },
      ],
    },
  })
  await cluster.settle()
  return {
    /** A policy that labels gears in one version. */
    policy: async (name: string, version: string) => {
      const rule = { apiGroups: [group], apiVersions: [version], resources: ['gears'] }
      const expression = `Object{metadata: Object.metadata{labels: {'${name}': '${version}'}}}`
      await post(`${registration}/mutatingadmissionpolicies`, {
        metadata: { name },
        spec: {
          matchConstraints: { resourceRules: [{ ...rule, operations: ['CREATE'] }] },
          reinvocationPolicy: 'Never',
          mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
        },
      })
      await post(`${registration}/mutatingadmissionpolicybindings`, {
        metadata: { name },
        spec: { policyName: name },
      })
    },
    create: async (version: string) => {
      const gear = { apiVersion: `${group}/${version}`, kind: 'Gear', metadata: { name: version } }
      const { metadata } = await post(`/apis/${group}/${version}/namespaces/default/gears`, gear)
      return metadata.labels
    },
    [Symbol.asyncDispose]: async () => {
      await cluster.dispose()
      host.stop()
    },
  }
}

test('of policies for different versions, only the changes of the last version are kept', async () => {
  await using world = await createWorld()
  await world.policy('a', 'v1')
  await world.policy('b', 'v2')
  expect(await world.create('v1')).toEqual({ b: 'v2' })
  expect(await world.create('v2')).toEqual({ b: 'v2' })
})

test('the changes of all policies for one version are kept', async () => {
  await using world = await createWorld()
  await world.policy('a', 'v1')
  await world.policy('b', 'v2')
  await world.policy('c', 'v1')
  expect(await world.create('v1')).toEqual({ a: 'v1', c: 'v1' })
  expect(await world.create('v2')).toEqual({ a: 'v1', c: 'v1' })
})
