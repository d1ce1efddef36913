import { expect, test } from 'vitest'
import { Client, connectionFromKubeconfig } from 'setpoint/client'
import { virtualHost } from 'setpoint/host'
import {
  ConfigMap,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from 'setpoint/kinds'
import { createCluster } from '../../cluster/index.ts'

test('a policy that warns does so even if another policy denies the write', async () => {
  using host = virtualHost({ seed: 'policies' })
  await using cluster = await createCluster({ host, workloads: 'off' })
  const warnings: string[] = []
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  const client = new Client(host, connection, { onWarning: (text) => warnings.push(text) })
  for (const [name, action] of [
    ['a', 'Deny'],
    ['b', 'Warn'],
  ] as const) {
    await client.create(ValidatingAdmissionPolicy, {
      metadata: { name },
      spec: {
        matchConstraints: {
          resourceRules: [
            {
              operations: ['CREATE'],
              apiGroups: [''],
              apiVersions: ['v1'],
              resources: ['configmaps'],
            },
          ],
        },
        validations: [{ expression: 'false', message: `refused by ${name}` }],
      },
    })
    await client.create(ValidatingAdmissionPolicyBinding, {
      metadata: { name },
      spec: { policyName: name, validationActions: [action] },
    })
  }
  await expect(client.create(ConfigMap, { metadata: { name: 'c' } })).rejects.toThrow(
    "ValidatingAdmissionPolicy 'a' with binding 'a' denied request: refused by a",
  )
  expect(warnings).toEqual([
    "Validation failed for ValidatingAdmissionPolicy 'b' with binding 'b': refused by b",
  ])
})
