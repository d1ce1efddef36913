/** Runs operators with webhooks with only the generated objects and roles. */
import { expect, test } from 'vitest'
import * as z from 'zod'
import { createCluster } from '@setpoint/cluster'
import { type AnyOperator, defineResource, operator, problem, rule, start } from 'setpoint'
import { connectionFromKubeconfig } from 'setpoint/client'
import { virtualHost } from 'setpoint/host'
import { ConfigMap, Pod, Secret, ValidatingWebhookConfiguration } from 'setpoint/kinds'
import { connectionOf } from '../deploy/testdata/deploy-world.ts'
import { projectObjects } from './project-objects.ts'
import { projectManifests } from './project-manifests.ts'

const Disk = defineResource({
  group: 'example.com',
  version: 'v2',
  kind: 'Disk',
  spec: z.object({ size: z.int32() }),
  versions: {
    v1: {
      spec: z.object({ sizeGi: z.int32() }),
      up: ({ spec }) => ({ spec: { size: spec.sizeGi } }),
      down: ({ spec }) => ({ spec: { sizeGi: spec.size } }),
    },
  },
})

const OldDisk = { ...Disk, version: 'v1', apiVersion: 'example.com/v1' }

const disks = operator(Disk)
  .child('map', ConfigMap, ({ spec }) => ({ data: { size: String(spec.size) } }))
  .validate(({ spec }) => (spec.size > 100 ? [problem('spec.size', 'at most 100')] : []))

const maps = operator(ConfigMap, { name: 'maps' }).mutate((draft) => {
  draft.metadata.labels = { ...draft.metadata.labels, team: 'a' }
})

const project = { folder: '/project', name: 'disks', version: '1.0.0', settings: {} }

function filesOf(...operators: AnyOperator[]): string[] {
  return projectManifests({ project, operators }).map(({ path }) => path)
}

test('the manifests contain the webhooks only if there are any', () => {
  const own = ['certificate', 'configurations', 'network-policy', 'service']
  const paths = [
    ...own.map((name) => `config/webhooks/${name}.yaml`),
    'config/rbac/webhooks-role.yaml',
  ]
  expect(filesOf(disks)).toEqual(expect.arrayContaining(paths))
  const plain = filesOf(operator(ConfigMap, { name: 'plain' }).child('s', Secret, () => null))
  expect(plain.filter((path) => paths.includes(path))).toEqual([])
})

test('policies alone are written without pods', () => {
  const pods = operator(Pod, { name: 'pod-rules' }).policy('no-latest', {
    rules: [rule("object.spec.containers.all(c, !c.image.endsWith(':latest'))", 'use a fixed tag')],
  })
  expect(filesOf(pods)).toEqual(['config/kustomization.yaml', 'config/policies/policies.yaml'])
  const [kustomization, written] = projectManifests({ project, operators: [pods] })
  expect(kustomization?.text).not.toContain('images:')
  expect(written?.text).toMatchInlineSnapshot(`
    "# Made by \`setpoint generate\`; changes are overwritten.
    apiVersion: admissionregistration.k8s.io/v1
    kind: ValidatingAdmissionPolicy
    metadata:
      name: no-latest.pod-rules.disks.disks-system
      labels:
        app.kubernetes.io/name: disks
        app.kubernetes.io/managed-by: setpoint
        app.kubernetes.io/instance: disks-system
    spec:
      failurePolicy: Fail
      matchConstraints:
        matchPolicy: Equivalent
        resourceRules:
          - apiGroups:
              - ""
            apiVersions:
              - v1
            resources:
              - pods
            operations:
              - CREATE
              - UPDATE
            scope: Namespaced
        namespaceSelector:
          matchExpressions:
            - key: kubernetes.io/metadata.name
              operator: NotIn
              values:
                - disks-system
                - kube-system
      validations:
        - expression: object.spec.containers.all(c, !c.image.endsWith(':latest'))
          message: use a fixed tag
    ---
    apiVersion: admissionregistration.k8s.io/v1
    kind: ValidatingAdmissionPolicyBinding
    metadata:
      name: no-latest.pod-rules.disks.disks-system
      labels:
        app.kubernetes.io/name: disks
        app.kubernetes.io/managed-by: setpoint
        app.kubernetes.io/instance: disks-system
    spec:
      policyName: no-latest.pod-rules.disks.disks-system
      validationActions:
        - Deny
    "
  `)
  expect(filesOf(disks, pods)).toEqual([...filesOf(disks), 'config/policies/policies.yaml'].sort())
})

test('two replicas serve webhooks with the generated objects and roles', async () => {
  const operators = [disks, maps]
  const host = virtualHost({ seed: 1 })
  await using cluster = await createCluster({ host, workloads: 'off' })
  const { client } = cluster
  const { settings, ...parts } = projectObjects({ project, operators })
  const { definitions, namespace, rights, workload } = parts
  for (const { kind, manifest } of [...definitions, ...namespace, ...rights, ...workload]) {
    await client.create(kind, manifest as never)
  }
  const world = {
    host,
    cluster,
    client,
    connection: await connectionFromKubeconfig(host, cluster.kubeconfig()),
  }
  const connection = await connectionOf(world, {
    name: settings.name,
    namespace: settings.namespace,
  })
  const service = { name: 'disks-webhooks', namespace: 'disks-system' }
  const replicas = [
    await start(operators, { host, connection, webhooks: { port: 9443, service } }),
    await start(operators, { host, connection, webhooks: { port: 9444, service } }),
  ]
  const serving = cluster.forwardService('disks-system/disks-webhooks', 'https://127.0.0.1:9443')
  await client.create(OldDisk, {
    metadata: { name: 'a' },
    spec: { sizeGi: 5 } as never,
  })
  await host.sleep(5_000)
  const map = await client.get(ConfigMap, 'a')
  expect([map.data, map.metadata.labels]).toMatchObject([{ size: '5' }, { team: 'a' }])
  const large = { metadata: { name: 'b' }, spec: { size: 200 } }
  await expect(client.create(Disk, large)).rejects.toThrow('spec.size: Invalid value: 200')
  serving[Symbol.dispose]()
  cluster.forwardService('disks-system/disks-webhooks', 'https://127.0.0.1:9444')
  await expect(client.create(Disk, large)).rejects.toThrow('spec.size: Invalid value: 200')
  const [configuration] = await client.listAll(ValidatingWebhookConfiguration)
  const secret = await client.get(Secret, { name: 'disks-webhooks-tls', namespace: 'disks-system' })
  const webhook = configuration?.webhooks?.[0]
  expect(webhook?.clientConfig.caBundle).toBe(secret.data?.['ca.crt'])
  const refused = cluster.trace.filter(
    ({ code, user }) => code === 403 && user.includes('serviceaccount'),
  )
  expect(refused).toEqual([])
  for (const running of replicas) await running.stop()
  host.stop()
})
