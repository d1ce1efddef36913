import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createCluster, type ProcessImages } from '@setpoint/cluster'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { type InferManifest, start } from 'setpoint'
import { type Client, connectionFromKubeconfig } from 'setpoint/client'
import { nodeHost } from 'setpoint/host'
import { PersistentVolumeClaim, Pod, Secret, Service } from 'setpoint/kinds'
import { Jenkins } from './jenkins.ts'
import jenkinses from './operator.ts'

type Manifest = InferManifest<typeof Jenkins>
type Spec = Manifest['spec']

const host = nodeHost({ log: () => undefined })

const isInstalled = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))

const read = async (file: string): Promise<unknown> =>
  parse(await readFile(new URL(file, import.meta.url), 'utf8'))

/** Retries until `check` does not throw; after three minutes it throws the last error. */
async function eventually<T>(check: () => Promise<T>): Promise<T> {
  const untilMs = host.monotonicMs() + 180_000
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
async function startCluster(images: ProcessImages): Promise<Client> {
  const cluster = await createCluster({ host, nodes: { process: { images } } })
  onTestFinished(() => cluster.dispose())
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  const running = await start([jenkinses], { host, connection, install: true })
  onTestFinished(() => running.stop())
  const { client } = running
  const stringData = { username: 'pusher', password: 'secret' }
  await client.create(Secret, { metadata: { name: 'registry' }, stringData })
  return client
}

async function create(client: Client, name: string, more: Partial<Spec> = {}): Promise<void> {
  const { spec, ...sample } = (await read('sample.yaml')) as Manifest
  await client.create(Jenkins, { ...sample, metadata: { name }, spec: { ...spec, ...more } })
  await isReady(client, name)
}

async function isReady(client: Client, name: string): Promise<void> {
  await eventually(async () => {
    const { metadata, status } = await client.get(Jenkins, name)
    expect(status?.conditions).toMatchObject([
      { type: 'Ready', status: 'True', observedGeneration: metadata.generation },
    ])
  })
}

/** Changes the jobs, and waits for the pod with the new ones. */
async function setJobs(client: Client, name: string, jobs: Spec['jobs']): Promise<void> {
  const { metadata } = await client.get(Pod, `${name}-0`)
  await client.patch(Jenkins, name, { merge: { spec: { jobs } } })
  await eventually(async () => {
    expect((await client.get(Pod, `${name}-0`)).metadata.uid).not.toBe(metadata.uid)
  })
  await isReady(client, name)
}

async function remove(client: Client, name: string): Promise<void> {
  await client.delete(Jenkins, name)
  await eventually(async () => {
    expect(await client.find(Jenkins, name)).toBeUndefined()
    const claims = await client.listAll(PersistentVolumeClaim, { namespace: 'default' })
    const names = claims.map(({ metadata }) => metadata.name)
    expect(names.filter((claim) => claim.startsWith(name))).toEqual([`${name}-backups`])
  })
}

async function urlOf(client: Client, name: string): Promise<string> {
  const { spec } = await client.get(Service, name)
  return `http://${spec.clusterIP ?? ''}:8080`
}

async function run(program: string, ...args: readonly string[]): Promise<void> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' }
  const { exitCode, stderr } = await host.runCommand(program, { args, env })
  if (exitCode !== 0) throw new Error(stderr)
}

/** A git repository with a job, and its URL. */
async function seedRepository(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'setpoint-seed-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, 'ci'))
  await writeFile(join(folder, 'ci/deploy.xml'), '<project><!-- deploy --></project>')
  const git = async (...args: readonly string[]) => run('git', '-C', folder, ...args)
  await git('init', '--quiet', '--initial-branch', 'main')
  await git('add', '.')
  const author = ['-c', 'user.name=ann', '-c', 'user.email=ann@example.com']
  await git(...author, 'commit', '--quiet', '--message', 'Add a job')
  return `file://${folder}`
}

/** A server instead of Jenkins: it reads and writes the files of the home directory. */
const fileServer = `
const { dirname } = require('node:path')
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs')
require('node:http').createServer(async (request, response) => {
  const file = process.env.JENKINS_HOME + request.url
  try {
    if (request.method === 'PUT') {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, Buffer.concat(await request.toArray()))
    }
    response.end(request.url === '/login' ? '' : readFileSync(file))
  } catch (error) {
    response.writeHead(404).end(String(error))
  }
}).listen(8080, process.env.ADDRESS)`

const fileServerImage: ProcessImages = {
  'jenkins/jenkins*': {
    command: [
      'sh',
      '-c',
      'case "${1:-}" in ?*) exit 0 ;; *) exec "$NODE" -e "$SERVER" ;; esac',
      '-',
    ],
    env: { NODE: process.execPath, SERVER: fileServer, ADDRESS: '$(POD_IP)' },
  },
}

test('real git and tar: jobs are written, moved away, backed up and restored', async ({ skip }) => {
  for (const program of ['git', 'tar']) skip(!isInstalled(program), `${program} is not installed`)
  const client = await startCluster(fileServerImage)
  const seed = { url: await seedRepository(), path: 'ci' }
  await create(client, 'shop', { seed })
  const get = async (name: string, path: string): Promise<string> =>
    (await fetch(`${await urlOf(client, name)}/${path}`)).text()
  expect(await get('shop', 'jobs/build/config.xml')).toContain('<hudson.tasks.Shell>')
  expect(await get('shop', 'jobs/nightly/config.xml')).toContain('<spec>H 3 * * *</spec>')
  expect(await get('shop', 'jobs/deploy/config.xml')).toContain('<!-- deploy -->')

  // A build, and a job that a user created.
  const url = await urlOf(client, 'shop')
  const put = async (path: string, body: string) => fetch(`${url}/${path}`, { method: 'PUT', body })
  await put('jobs/build/builds/1/log', 'built')
  await put('jobs/manual/config.xml', '<project/>')

  await setJobs(client, 'shop', [{ name: 'build', shell: 'make again' }])
  expect(await get('shop', 'jobs/build/config.xml')).toContain('make again')
  expect(await get('shop', 'jobs/build/builds/1/log')).toBe('built')
  expect(await get('shop', 'jobs/manual/config.xml')).toBe('<project/>')
  expect(await get('shop', 'jobs/nightly/config.xml')).toContain('ENOENT')
  expect(await get('shop', 'former-jobs/nightly/config.xml')).toContain('H 3 * * *')

  await remove(client, 'shop')
  await create(client, 'again', { jobs: [], restoreFrom: 'shop' })
  expect(await get('again', 'jobs/build/builds/1/log')).toBe('built')
  expect(await get('again', 'jobs/manual/config.xml')).toBe('<project/>')
  expect(await get('again', 'jobs/deploy/config.xml')).toContain('<!-- deploy -->')
}, 240_000)

/** Sends requests to a Jenkins as its administrator. */
async function session(client: Client, name: string) {
  const url = await urlOf(client, name)
  const { data = {} } = await client.get(Secret, `${name}-admin`)
  const [user, password] = [atob(data['username'] ?? ''), atob(data['password'] ?? '')]
  const authorization = `Basic ${btoa(`${user}:${password}`)}`
  const get = async (path: string) => {
    const response = await fetch(`${url}/${path}`, { headers: { authorization } })
    if (!response.ok) throw new Error(`${path}: ${response.status}`)
    return response
  }
  // A crumb is valid in the session in which it was given.
  const crumb = await get('crumbIssuer/api/json')
  const issued = (await crumb.json()) as { crumbRequestField: string; crumb: string }
  const headers = {
    authorization,
    cookie: (crumb.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
    [issued.crumbRequestField]: issued.crumb,
  }
  return {
    anonymous: async (path: string) => (await fetch(`${url}/${path}`)).status,
    text: async (path: string) => (await get(path)).text(),
    post: async (path: string) =>
      (await fetch(`${url}/${path}`, { method: 'POST', headers })).status,
  }
}

test('a real Jenkins runs its jobs for those who log in, and its builds survive it', async ({
  skip,
}) => {
  for (const program of ['java', 'jenkins.war']) {
    skip(!isInstalled(program), `${program} is not in a folder of PATH`)
  }
  const client = await startCluster((await read('images.yaml')) as ProcessImages)
  await create(client, 'shop')
  const shop = await session(client, 'shop')
  expect(await shop.anonymous('api/json')).toBe(403)
  expect(JSON.parse(await shop.text('api/json?tree=numExecutors,jobs[name]'))).toMatchObject({
    numExecutors: 1,
    jobs: [{ name: 'build' }, { name: 'nightly' }],
  })
  expect(await shop.post('job/build/build')).toBe(201)
  await eventually(async () => {
    expect(await shop.text('job/build/1/consoleText')).toMatch(
      /^build 1 of the shop$[^]*Finished: SUCCESS/m,
    )
  })

  await setJobs(client, 'shop', [{ name: 'build', shell: 'exit 3' }])
  const restarted = await session(client, 'shop')
  expect(await restarted.post('job/build/build')).toBe(201)
  await eventually(async () => {
    expect(await restarted.text('job/build/2/consoleText')).toContain('Finished: FAILURE')
  })

  await remove(client, 'shop')
  await create(client, 'again', { restoreFrom: 'shop' })
  const again = await session(client, 'again')
  expect(await again.text('job/build/1/consoleText')).toContain('build 1 of the shop')
}, 600_000)
