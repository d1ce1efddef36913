import { testWorld } from '@setpoint/cluster'
import { Client, connectionFromKubeconfig, isApiError } from 'setpoint/client'
import type { VirtualHost } from 'setpoint/host'
import { CertificateSigningRequest, ClusterRole, ClusterRoleBinding } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { madeRequest } from '../../auth/testdata/made-request.ts'

const node = { commonName: 'system:node:worker', organizations: ['system:nodes'] }
const kubeletClient = 'kubernetes.io/kube-apiserver-client-kubelet'

interface World extends AsyncDisposable {
  readonly host: VirtualHost
  readonly admin: Client
  /** A user who may only create certificate requests. */
  readonly bob: Client
}

async function startWorld(): Promise<World> {
  const users = [{ name: 'bob' }]
  const world = await testWorld({ operators: [], seed: 3, nodes: 'off', users })
  const { host, client: admin } = world
  const context = { context: 'bob' }
  const connection = await connectionFromKubeconfig(host, world.cluster.kubeconfig(), context)
  await admin.create(ClusterRole, {
    metadata: { name: 'requester' },
    rules: [
      {
        apiGroups: ['certificates.k8s.io'],
        resources: ['certificatesigningrequests'],
        verbs: ['create'],
      },
    ],
  })
  await bind(admin, 'requester')
  return {
    host,
    admin,
    bob: new Client(host, connection),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

async function bind(admin: Client, role: string): Promise<void> {
  await admin.create(ClusterRoleBinding, {
    metadata: { name: role },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'bob' }],
  })
}

async function requestCertificate(client: Client, signerName: string): Promise<void> {
  await client.create(CertificateSigningRequest, {
    metadata: { name: 'r' },
    spec: {
      request: madeRequest(node),
      signerName,
      usages: ['digital signature', 'client auth'],
    },
  })
}

const decide = (admin: Client, type: 'Approved' | 'Denied') =>
  admin.patch(CertificateSigningRequest, 'r', {
    merge: { status: { conditions: [{ type, status: 'True', reason: 'Test' }] } },
    subresource: 'approval',
  })

const statusNow = async ({ admin }: World) =>
  (await admin.get(CertificateSigningRequest, 'r')).status ?? {}

async function isDeleted({ admin }: World): Promise<boolean> {
  try {
    await admin.get(CertificateSigningRequest, 'r')
    return false
  } catch (error) {
    if (isApiError(error, 'API_NOT_FOUND')) return true
    throw error
  }
}

test("approves a node's request if the requester has the right, even if it is granted later", async () => {
  await using world = await startWorld()
  await requestCertificate(world.bob, kubeletClient)
  await world.host.sleep(5_000)
  expect(await statusNow(world)).toEqual({})
  await bind(world.admin, 'system:certificates.k8s.io:certificatesigningrequests:nodeclient')
  await world.host.sleep(60_000)
  const { certificate, conditions } = await statusNow(world)
  expect(conditions).toMatchObject([{ type: 'Approved', reason: 'AutoApproved' }])
  expect(certificate).toBeDefined()
})

test.each([
  ['pending', undefined, 24],
  ['denied', 'Denied', 1],
  ['signed', 'Approved', 1],
] as const)('deletes a %s request after its time', async (_, decision, hours) => {
  await using world = await startWorld()
  await requestCertificate(world.bob, 'kubernetes.io/kube-apiserver-client')
  if (decision !== undefined) await decide(world.admin, decision)
  await world.host.sleep(hours * 3600_000 - 60_000)
  expect(await isDeleted(world)).toBe(false)
  await world.host.sleep(120_000)
  expect(await isDeleted(world)).toBe(true)
})
