import { expect, test } from 'vitest'
import { createCluster } from '@setpoint/cluster'
import { operator, policyObjects, rule, start } from 'setpoint'
import { connectionFromKubeconfig } from 'setpoint/client'
import { virtualHost } from 'setpoint/host'
import {
  ConfigMap,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from 'setpoint/kinds'
import { InstalledPolicies } from './installed-policies.ts'

const rules = [rule('true')]
const maps = operator(ConfigMap, { name: 'map-rules' })

test('policies that the sources do not declare any more are removed, and all at the end', async () => {
  const host = virtualHost({ seed: 1 })
  await using cluster = await createCluster({ host, workloads: 'off' })
  const { client } = cluster
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  const installed = new InstalledPolicies(client)
  const names = async (): Promise<string[]> => {
    const kinds = [ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding]
    const found = await Promise.all(kinds.map((kind) => client.listAll(kind)))
    return found.flat().map(({ metadata }) => metadata.name)
  }
  const load = async (declared: typeof maps): Promise<void> => {
    const policies = policyObjects([declared]).map(({ kind, metadata: { name } }) => ({
      kind,
      name,
    }))
    installed.add([{ name: 'map-rules', kind: ConfigMap, isApi: false, children: [], policies }])
    await using _ = await start([declared], { host, connection, install: true })
    await installed.removeOutdated()
  }
  await load(maps.policy('a', { rules }).policy('b', { rules }))
  expect(await names()).toEqual(['a.map-rules', 'b.map-rules', 'a.map-rules', 'b.map-rules'])
  await load(maps.policy('b', { rules }))
  expect(await names()).toEqual(['b.map-rules', 'b.map-rules'])
  await client.create(ValidatingAdmissionPolicyBinding, {
    metadata: { name: 'of-another' },
    spec: { policyName: 'another', validationActions: ['Deny'] },
  })
  await installed.removeAll()
  expect(await names()).toEqual(['of-another'])
  host.stop()
})
