import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createCluster, type ProcessImages } from '@setpoint/cluster'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { type InferManifest, start } from 'setpoint'
import { type Client, connectionFromKubeconfig } from 'setpoint/client'
import { nodeHost } from 'setpoint/host'
import { ConfigMap, CronJob, Job, PersistentVolumeClaim, Pod, Secret } from 'setpoint/kinds'
import { SampleDB } from './sample-db.ts'
import databases from './operator.ts'

const host = nodeHost({ log: () => undefined })
const name = 'example-database'

/** Why a real PostgreSQL cannot run here, if so. */
function missing(): string | undefined {
  const versions = '/usr/lib/postgresql'
  const found = existsSync(versions) ? readdirSync(versions) : []
  if (!found.some((version) => existsSync(`${versions}/${version}/bin/initdb`))) {
    return 'PostgreSQL is not installed'
  }
  if (process.getuid?.() === 0 && !existsSync('/usr/bin/setpriv')) return 'setpriv is not installed'
  return undefined
}

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
  const running = await start([databases], { host, connection, install: true })
  onTestFinished(() => running.stop())
  return running.client
}

async function create(client: Client, as: string, more: object = {}): Promise<void> {
  const sample = (await read('sample.yaml')) as InferManifest<typeof SampleDB>
  await client.create(SampleDB, {
    ...sample,
    metadata: { name: as },
    spec: { ...sample.spec, ...more },
  })
  await isRunning(client, as)
}

async function isRunning(client: Client, as = name, version = '15.4'): Promise<void> {
  await eventually(async () => {
    const { status } = await client.get(SampleDB, as)
    expect(status).toMatchObject({ phase: 'Running', version })
  })
}

/** Queries a database with the connection details and credentials of clients. */
async function sql(client: Client, as: string, command: string): Promise<string> {
  const { data: at = {} } = await client.get(ConfigMap, `${as}-connection`)
  const { data: secret = {} } = await client.get(Secret, `${as}-credentials`)
  const env = {
    PGHOSTADDR: at['address'] ?? '',
    PGPORT: at['port'] ?? '',
    PGDATABASE: at['database'] ?? '',
    PGUSER: atob(secret['username'] ?? ''),
    PGPASSWORD: atob(secret['password'] ?? ''),
    PGCONNECT_TIMEOUT: '5',
  }
  const args = ['--no-psqlrc', '--tuples-only', '--no-align', '--quiet', '--command', command]
  const { exitCode, stdout, stderr } = await host.runCommand('psql', { args, env })
  if (exitCode !== 0) throw new Error(stderr)
  return stdout.trim()
}

const visitors = "SELECT string_agg(who, ',' ORDER BY who) FROM visits"

/** Creates a backup now, like `kubectl create job --from=cronjob/...`. */
async function backUp(client: Client, as: string, job: string): Promise<void> {
  const { spec } = await client.get(CronJob, `${as}-backup`)
  const { metadata, spec: work } = spec.jobTemplate
  const { labels = {} } = metadata ?? {}
  await client.create(Job, { metadata: { name: job, labels }, spec: work as never })
  await eventually(async () => {
    expect((await client.get(SampleDB, as)).status?.lastBackup?.name).toBe(job)
  })
}

const why = missing()

test('a real PostgreSQL keeps its data over a killed server, an upgrade, a restore and a deletion', async ({
  skip,
}) => {
  skip(why !== undefined, why)
  const client = await startCluster()
  await create(client, name)
  await sql(client, name, "INSERT INTO visits (who) VALUES ('ann')")
  expect(await sql(client, name, visitors)).toBe('ann')

  // A killed server, and a deleted pod.
  const pid = await sql(
    client,
    name,
    "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)",
  )
  process.kill(Number(pid), 'SIGKILL')
  await eventually(async () => expect(await sql(client, name, visitors)).toBe('ann'))
  const { metadata } = await client.get(Pod, `${name}-0`)
  await client.delete(Pod, `${name}-0`)
  await eventually(async () => {
    const pod = await client.get(Pod, `${name}-0`)
    expect(pod.metadata.uid).not.toBe(metadata.uid)
    expect(await sql(client, name, visitors)).toBe('ann')
  })
  await isRunning(client)

  await backUp(client, name, 'first')
  await sql(client, name, "INSERT INTO visits (who) VALUES ('bob')")

  // The same programs under another version: the upgrade dumps and restores all data.
  await client.patch(SampleDB, name, { merge: { spec: { version: '15.5' } } })
  await isRunning(client, name, '15.5')
  expect(await sql(client, name, visitors)).toBe('ann,bob')
  await backUp(client, name, 'second')
  await sql(client, name, "INSERT INTO visits (who) VALUES ('cid')")

  // The last three backups are kept.
  for (const job of ['third', 'fourth']) await backUp(client, name, job)

  await client.delete(SampleDB, name)
  await eventually(async () => expect(await client.find(SampleDB, name)).toBeUndefined())
  const claims = await client.listAll(PersistentVolumeClaim, { namespace: 'default' })
  expect(claims.map((claim) => claim.metadata.name)).toEqual([`${name}-backups`])

  // A new database restores the newest backup, which is the snapshot. Another one restores a named
  // backup.
  await create(client, 'again', { restoreFrom: { database: name }, initScript: undefined })
  expect(await sql(client, 'again', visitors)).toBe('ann,bob,cid')
  const restoreFrom = { database: name, backup: 'second' }
  await create(client, 'earlier', { restoreFrom, initScript: undefined })
  expect(await sql(client, 'earlier', visitors)).toBe('ann,bob')

  const gone = { database: name, backup: 'first' }
  const sample = (await read('sample.yaml')) as InferManifest<typeof SampleDB>
  await client.create(SampleDB, {
    ...sample,
    metadata: { name: 'lost' },
    spec: { ...sample.spec, restoreFrom: gone },
  })
  await eventually(async () => {
    const pods = await client.listAll(Pod, { labelSelector: 'job-name=lost-initialize' })
    let log = ''
    for await (const line of client.logs(pods[0]?.metadata.name ?? '')) log += line
    expect(log).toContain('first.sql')
  })
})
