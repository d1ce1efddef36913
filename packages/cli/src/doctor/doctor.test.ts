import { fileURLToPath } from 'node:url'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cluster, createCluster } from '@setpoint/cluster'
import { nodeHost } from 'setpoint/host'
import {
  ClusterRole,
  ClusterRoleBinding,
  CustomResourceDefinition,
  ValidatingWebhookConfiguration,
} from 'setpoint/kinds'
import { afterAll, expect, test } from 'vitest'
import { rbacFor } from 'setpoint'
import { Application } from '../../../../operators/01-application/application.ts'
import application from '../../../../operators/01-application/operator.ts'
import { parseCommand } from '../command/index.ts'
import { doctorCommand } from '../commands/doctor-command.ts'
import { RecordingTerminal } from '../system/testdata/recording-terminal.ts'
import type { Finding } from './finding.ts'
import { runDoctor } from './run-doctor.ts'

const root = mkdtempSync(join(tmpdir(), 'setpoint-doctor-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const folder = fileURLToPath(new URL('../../../../operators/01-application', import.meta.url))

async function runDoctorOn(
  kubeconfig: string,
  words: readonly string[] = [],
): Promise<{ code: unknown; problems: Finding[]; findings: Finding[] }> {
  const terminal = new RecordingTerminal()
  const parsed = parseCommand(
    [doctorCommand],
    ['doctor', '--kubeconfig', kubeconfig, '--json', ...words],
  )
  if (parsed.wants !== 'run') throw new Error(parsed.wants)
  const context = { host: nodeHost(), terminal, folder, signal: new AbortController().signal }
  const code = await runDoctor(context, parsed.input)
  const findings = JSON.parse(terminal.text) as Finding[]
  return { code, findings, problems: findings.filter(({ state }) => state === 'wrong') }
}

async function withKubeconfig(
  options: Parameters<typeof createCluster>[0],
): Promise<{ cluster: Cluster; path: string }> {
  const cluster = await createCluster({ host: nodeHost(), workloads: 'off', ...options })
  const path = join(root, `kubeconfig-${cluster.port}`)
  await nodeHost().writeFile(path, cluster.kubeconfig())
  return { cluster, path }
}

test('finds no problem in a cluster with the CRD', async () => {
  const { cluster, path } = await withKubeconfig({})
  await using _ = cluster
  await cluster.client.create(CustomResourceDefinition, Application.crd())
  const { code, problems, findings } = await runDoctorOn(path)
  expect(problems).toEqual([])
  expect(code).toBe(0)
  const subjects = findings.map(({ subject }) => subject)
  for (const subject of [
    'node',
    'setpoint',
    'operators',
    'cluster',
    'version',
    'clock',
    'access',
    'watch services',
  ]) {
    expect(subjects).toContain(subject)
  }
})

test('reports a server that is not an API server', async () => {
  const host = nodeHost()
  await using server = await host.listen({
    handle: async () => ({
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: new TextEncoder().encode('<html>please log in</html>'),
    }),
  })
  const path = join(root, 'login')
  const kubeconfig = {
    clusters: [{ name: 'c', cluster: { server: server.url } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: '' } }],
    'current-context': 'x',
  }
  await host.writeFile(path, JSON.stringify(kubeconfig))
  const { code, problems } = await runDoctorOn(path)
  expect(code).toBe(1)
  expect(problems[0]?.message).toContain('answers, but is not a Kubernetes API server')
})

test('reports a missing CRD and a different CRD, with a fix', async () => {
  const { cluster, path } = await withKubeconfig({})
  await using _ = cluster
  const missing = await runDoctorOn(path)
  expect(missing.code).toBe(1)
  expect(missing.problems).toContainEqual({
    subject: 'definition applications.shclub.github.io',
    state: 'wrong',
    message: 'the CRD is not installed',
    fix: 'setpoint install',
  })
  const crd = structuredClone(Application.crd())
  const schema = crd.spec.versions[0]?.schema?.openAPIV3Schema as unknown as {
    properties: { spec: { properties: { port: { maximum: number } } } }
  }
  schema.properties.spec.properties.port.maximum = 1024
  await cluster.client.create(CustomResourceDefinition, crd)
  const different = await runDoctorOn(path)
  expect(different.problems.map(({ message }) => message).join()).toMatch(
    /the installed CRD differs from the generated one:\n.*port.maximum/,
  )
})

test('reports missing permissions by verb and resource; the derived role is sufficient', async () => {
  const { cluster, path } = await withKubeconfig({ users: [{ name: 'ann' }] })
  await using _ = cluster
  const { client } = cluster
  await client.create(CustomResourceDefinition, Application.crd())
  const asAnn = ['--as', 'ann']
  const before = await runDoctorOn(path, asAnn)
  expect(before.problems).toContainEqual(
    expect.objectContaining({
      subject: 'access',
      message: 'ann cannot create, delete, get, list, patch, update, watch deployments.apps',
    }),
  )
  await client.create(ClusterRole, {
    metadata: { name: 'app' },
    rules: rbacFor([application]),
  })
  await client.create(ClusterRoleBinding, {
    metadata: { name: 'app' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'app' },
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'ann' }],
  })
  const withoutCrds = await runDoctorOn(path, asAnn)
  expect(withoutCrds.problems).toEqual([])
  expect(withoutCrds.findings).toContainEqual(
    expect.objectContaining({
      subject: 'access',
      state: 'note',
      message: expect.stringMatching(
        /^ann cannot get customresourcedefinitions\.apiextensions\.k8s\.io applications\.shclub\.github\.io: /,
      ) as string,
    }),
  )
  const rules = rbacFor([application], { comparesCrds: true })
  await client.patch(ClusterRole, 'app', { merge: { rules } })
  expect((await runDoctorOn(path, asAnn)).findings).toContainEqual(
    expect.objectContaining({
      subject: 'access',
      message: expect.stringMatching(/^ann can do everything/) as string,
    }),
  )
})

test('notes a webhook of another program that could lock the cluster', async () => {
  const { cluster, path } = await withKubeconfig({})
  await using _ = cluster
  const { client } = cluster
  await client.create(CustomResourceDefinition, Application.crd())
  // No rule matches the requests of this test.
  await client.create(ValidatingWebhookConfiguration, {
    metadata: { name: 'foreign' },
    webhooks: [
      {
        name: 'foreign.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: { service: { namespace: 'default', name: 'gone' } },
        rules: [
          { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] },
        ],
      },
    ],
  })
  const { code, findings } = await runDoctorOn(path)
  expect(code).toBe(0)
  const own = findings.filter(({ subject }) => subject === 'ValidatingWebhookConfiguration foreign')
  expect(own.map(({ state, message }) => [state, message])).toEqual([
    ['note', 'the Service default/gone does not exist'],
    ['note', 'it has no caBundle: every call fails'],
    [
      'note',
      'the webhook foreign.example.com has failurePolicy Fail and matches resources in kube-system that the cluster needs',
    ],
    [
      'note',
      'the webhook foreign.example.com has failurePolicy Fail and reviews the pods of its own namespace default: if none runs, none can start',
    ],
  ])
})

test('reports a cluster that does not answer', async () => {
  const { cluster, path } = await withKubeconfig({})
  await cluster.dispose()
  const { code, problems } = await runDoctorOn(path)
  expect(code).toBe(1)
  expect(problems).toMatchObject([{ subject: 'cluster', state: 'wrong' }])
})
