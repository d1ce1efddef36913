import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { createCluster, type ProcessImages } from '@setpoint/cluster'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { type InferManifest, start } from 'setpoint'
import { type Client, connectionFromKubeconfig } from 'setpoint/client'
import { nodeHost } from 'setpoint/host'
import { Pod, Secret, Service } from 'setpoint/kinds'
import tenants from './operator.ts'
import { Tenant } from './tenant.ts'

type Manifest = InferManifest<typeof Tenant>

const host = nodeHost({ log: () => undefined })

const isInstalled = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))

const read = async (file: string): Promise<unknown> =>
  parse(await readFile(new URL(file, import.meta.url), 'utf8'))

/** Retries until `check` does not throw; after a minute it throws the last error. */
async function eventually<T>(check: () => Promise<T>): Promise<T> {
  const untilMs = host.monotonicMs() + 60_000
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (host.monotonicMs() > untilMs) throw error
      await host.sleep(200)
    }
  }
}

/** Starts the operator on a cluster whose pods are processes. */
async function startCluster(): Promise<Client> {
  const images = (await read('images.yaml')) as ProcessImages
  const cluster = await createCluster({ host, nodes: { process: { images } } })
  onTestFinished(() => cluster.dispose())
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  const running = await start([tenants], { host, connection, install: true })
  onTestFinished(() => running.stop())
  return running.client
}

/** Waits until run number `run` has provisioned everything. */
async function isProvisioned(client: Client, run: number): Promise<void> {
  await eventually(async () => {
    const { status } = await client.get(Tenant, 'photos')
    expect(status?.runbooks?.provision).toMatchObject({ state: 'Complete', run })
    expect(status?.conditions).toMatchObject([
      { type: 'Provisioned', status: 'True' },
      { type: 'Ready', status: 'True' },
    ])
  })
}

/** Runs `mc` as a user of the storage. */
async function mc(client: Client, user: string, ...args: string[]): Promise<string> {
  const { data = {} } = await client.get(Secret, `photos-user-${user}`)
  const { spec } = await client.get(Service, 'photos')
  const [accessKey, secretKey] = [data['accessKey'], data['secretKey']].map((text = '') =>
    atob(text),
  )
  const env = {
    PATH: process.env['PATH'] ?? '',
    MC_CONFIG_DIR: '/nonexistent',
    MC_HOST_photos: `http://${accessKey}:${secretKey}@${spec.clusterIP}:9000`,
  }
  const { exitCode, stdout, stderr } = await host.runCommand('mc', { args, env })
  if (exitCode !== 0) throw new Error(stderr)
  return stdout
}

test('a real MinIO has the buckets, and gives users exactly the rights of their policies', async ({
  skip,
}) => {
  for (const program of ['minio', 'mc']) skip(!isInstalled(program), `${program} is not installed`)
  const client = await startCluster()
  const sample = (await read('sample.yaml')) as Manifest
  await client.create(Tenant, sample)
  await isProvisioned(client, 1)

  const file = new URL('sample.yaml', import.meta.url).pathname
  await mc(client, 'camera', 'cp', file, 'photos/originals/a.yaml')
  expect(await mc(client, 'gallery', 'cat', 'photos/originals/a.yaml')).toContain('kind: Tenant')
  await expect(mc(client, 'gallery', 'cp', file, 'photos/originals/b.yaml')).rejects.toThrow(
    /Insufficient permissions/,
  )
  await expect(mc(client, 'camera', 'rm', 'photos/originals/a.yaml')).rejects.toThrow(/Denied/)

  // The data is on the volumes: a new pod has it.
  const { metadata } = await client.get(Pod, 'photos-first-0')
  await client.delete(Pod, 'photos-first-0')
  await eventually(async () => {
    expect((await client.get(Pod, 'photos-first-0')).metadata.uid).not.toBe(metadata.uid)
    expect(await mc(client, 'gallery', 'cat', 'photos/originals/a.yaml')).toContain('Tenant')
  })

  // A user that is removed has no access, and a policy that is removed gives no rights.
  const users = [{ name: 'gallery', policies: [] }]
  const keysOfCamera = mc.bind(null, await withSecretsOf(client), 'camera')
  await client.patch(Tenant, 'photos', { merge: { spec: { users } } })
  await isProvisioned(client, 2)
  await expect(keysOfCamera('ls', 'photos/originals')).rejects.toThrow(/does not exist/)
  await expect(mc(client, 'gallery', 'cat', 'photos/originals/a.yaml')).rejects.toThrow(
    /Insufficient permissions/,
  )
})

/** A client that answers for Secrets as they are now, even after they are deleted. */
async function withSecretsOf(client: Client): Promise<Client> {
  const secret = await client.get(Secret, 'photos-user-camera')
  const service = await client.get(Service, 'photos')
  const get = async (kind: unknown) => (kind === Secret ? secret : service)
  return { get } as unknown as Client
}
