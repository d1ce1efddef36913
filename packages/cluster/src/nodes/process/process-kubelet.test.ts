import { ConfigMap, PersistentVolume, PersistentVolumeClaim, Pod, Secret } from 'setpoint/kinds'
import type { VirtualProgram } from 'setpoint/host'
import { expect, test } from 'vitest'
import { processWorld } from './testdata/process-world.ts'

/** Runs until it gets a signal, and then exits with 0. */
const server: VirtualProgram = ({ onSignal, print }) =>
  new Promise((resolve) => {
    print('listening\n')
    onSignal((signal) => {
      print(`received ${signal}\n`)
      resolve(0)
    })
  })

const container = { name: 'app', image: 'app' }

test('runs a pod as a process with its command line and environment, without the environment of the cluster', async () => {
  await using world = await processWorld({
    app: async ({ args, env = {}, print }) => {
      print(
        `${args?.join(' ')}\n${env['GREETING']} ${env['WHO']} ${env['WHERE']} ${env['SECRET']}\n`,
      )
      return 0
    },
  })
  const env = [
    { name: 'WHO', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'GREETING', value: 'hello $(WHO)' },
    { name: 'WHERE', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } },
  ]
  const containers = [{ ...container, args: ['--to', '$(WHO)'], env }]
  await world.create('job', { containers, restartPolicy: 'Never' })
  expect(await world.text('job')).toBe('Succeeded app=exit 0/0')
  const { status } = await world.pod('job')
  expect(status?.podIP).toMatch(/^127\.64\.0\.\d+$/)
  expect(await world.log('job')).toEqual(['--to job', `hello job job ${status?.podIP} undefined`])
})

test('restarts a process as kubelets do, and keeps its previous log', async () => {
  let runs = 0
  await using world = await processWorld({
    app: async ({ print }) => {
      runs += 1
      print(`run ${runs}\n`)
      await world.host.sleep(500)
      return 3
    },
  })
  await world.create('web')
  expect(await world.text('web')).toBe('Running Ready app=running/0')
  await world.host.sleep(600)
  expect(await world.text('web')).toBe('Running Ready app=running/1')
  expect(await world.log('web', { previous: true })).toEqual(['run 1'])
  await world.host.sleep(1000)
  expect(await world.text('web')).toBe('Running app=CrashLoopBackOff/1')
  expect((await world.pod('web')).status?.containerStatuses?.[0]?.lastState).toMatchObject({
    terminated: { exitCode: 3, reason: 'Error' },
  })
  expect(await world.events('web')).toContainEqual(
    expect.stringContaining('BackOff: Back-off restarting failed container app in pod web_default'),
  )
  await world.host.sleep(9_700)
  expect(await world.text('web')).toBe('Running Ready app=running/2')
})

test('reports a missing program and an unknown image', async () => {
  await using world = await processWorld({}, { 'known*': { command: 'missing' } })
  await world.create('broken', { containers: [{ name: 'app', image: 'known:1' }] })
  await world.create('unknown', { containers: [{ name: 'app', image: 'other' }] })
  expect(await world.text('broken')).toBe('Running app=CrashLoopBackOff/1')
  const why = 'exec: "missing": executable file not found in $PATH'
  expect((await world.pod('broken')).status?.containerStatuses?.[0]?.lastState).toMatchObject({
    terminated: { exitCode: 128, reason: 'StartError', message: why },
  })
  expect(await world.events('broken')).toContain(`Failed: Error: ${why}`)
  expect(await world.text('unknown')).toBe('Pending app=ErrImagePull/0')
})

test('mounts volumes as directories, and rewrites paths on the command line', async () => {
  await using world = await processWorld({
    app: async ({ args: [path = ''] = [], print }) => {
      const read = async (name: string): Promise<string> =>
        new TextDecoder().decode(await world.host.readFile(`${path}/${name}`))
      print(`${await read('settings')} ${await read('sub/key')}\n`)
      await world.host.sleep(3_000)
      print(`${await read('settings')}\n`)
      return 0
    },
  })
  await world.client.create(ConfigMap, { metadata: { name: 'web' }, data: { settings: 'first' } })
  const data = { key: Buffer.from('secret').toString('base64') }
  await world.client.create(Secret, { metadata: { name: 'web' }, data })
  const sources = [
    { configMap: { name: 'web' } },
    { secret: { name: 'web', items: [{ key: 'key', path: 'sub/key' }] } },
  ]
  const volumeMounts = [{ name: 'all', mountPath: '/etc/web' }]
  await world.create('web', {
    volumes: [{ name: 'all', projected: { sources } }],
    containers: [{ ...container, args: ['/etc/web'], volumeMounts }],
    restartPolicy: 'Never',
  })
  await world.client.patch(ConfigMap, 'web', { merge: { data: { settings: 'second' } } })
  await world.host.sleep(3_100)
  expect(await world.log('web')).toEqual(['first secret', 'second'])
})

test('has the volumes below a directory, where a program looks for all of them', async () => {
  await using world = await processWorld({
    app: async ({ args: [root = ''] = [], print }) => {
      for (const path of ['db/type', 'queue/type']) {
        print(`${new TextDecoder().decode(await world.host.readFile(`${root}/${path}`))}\n`)
      }
      return 0
    },
  })
  for (const name of ['db', 'queue']) {
    await world.client.create(Secret, { metadata: { name }, stringData: { type: name } })
  }
  const names = ['db', 'queue']
  await world.create('web', {
    volumes: names.map((name) => ({ name: `v-${name}`, secret: { secretName: name } })),
    containers: [
      {
        ...container,
        args: ['/bindings'],
        volumeMounts: names.map((name) => ({ name: `v-${name}`, mountPath: `/bindings/${name}` })),
      },
    ],
    restartPolicy: 'Never',
  })
  expect(await world.log('web')).toEqual(['db', 'queue'])
})

test('waits for missing volumes and environment sources', async () => {
  await using world = await processWorld({ app: server })
  const configMap = { name: 'settings' }
  await world.create('held', { volumes: [{ name: 'etc', configMap }] })
  const env = [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'settings', key: 'a' } } }]
  await world.create('unset', { containers: [{ ...container, env }] })
  expect(await world.text('held')).toBe('Pending app=ContainerCreating/0')
  expect(await world.events('held')).toContain(
    'FailedMount: MountVolume.SetUp failed for volume "etc" : configmap "settings" not found',
  )
  expect(await world.text('unset')).toBe('Pending app=CreateContainerConfigError/0')
  await world.client.create(ConfigMap, { metadata: { name: 'settings' }, data: { b: '' } })
  await world.cluster.settle()
  expect(await world.text('held')).toBe('Running Ready app=running/0')
  const waiting = (await world.pod('unset')).status?.containerStatuses?.[0]?.state?.waiting
  expect(waiting?.message).toBe("couldn't find key a in ConfigMap default/settings")
})

test('refuses a hostPath', async () => {
  await using world = await processWorld({ app: server })
  await world.create('nosy', { volumes: [{ name: 'etc', hostPath: { path: '/etc' } }] })
  expect(await world.text('nosy')).toBe('Pending app=ContainerCreating/0')
  expect((await world.events('nosy')).at(-1)).toContain('the hostPath /etc is refused')
})

test('keeps the files of a persistent volume after the pod, and removes them with the volume', async () => {
  await using world = await processWorld({
    app: async ({ args: [path = ''] = [], print }) => {
      const isThere = (await world.host.fileInfo(path)) !== undefined
      print(`${path} ${isThere}\n`)
      await world.host.writeFile(path, 'data')
      return 0
    },
  })
  await world.client.create(PersistentVolumeClaim, {
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  })
  await world.cluster.settle()
  const spec = {
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    containers: [
      { ...container, args: ['/data/file'], volumeMounts: [{ name: 'data', mountPath: '/data' }] },
    ],
    restartPolicy: 'Never',
  } as const
  await world.create('first', structuredClone(spec) as never)
  await world.create('second', structuredClone(spec) as never)
  const [path = ''] = (await world.log('first'))[0]?.split(' ') ?? []
  expect(await world.log('first')).toEqual([`${path} false`])
  expect(await world.log('second')).toEqual([`${path} true`])
  for (const name of ['first', 'second']) await world.client.delete(Pod, name)
  await world.client.delete(PersistentVolumeClaim, 'data')
  await world.cluster.settle()
  expect(await world.client.listAll(PersistentVolume)).toEqual([])
  expect(await world.host.fileInfo(path)).toBeUndefined()
})

test('runs probes: readiness sets Ready, liveness restarts', async () => {
  let isAlive = true
  let isOpen = false
  await using world = await processWorld({
    app: server,
    check: async ({ args: [what] = [], print }) => {
      print(`asked for ${what}`)
      return (what === 'life' ? isAlive : isOpen) ? 0 : 1
    },
  })
  const exec = (what: string): { exec: { command: string[] }; periodSeconds: number } => ({
    exec: { command: ['check', what] },
    periodSeconds: 1,
  })
  const probes = { readinessProbe: exec('door'), livenessProbe: exec('life') }
  await world.create('web', { containers: [{ ...container, ...probes }] })
  await world.host.sleep(2_500)
  expect(await world.text('web')).toBe('Running app=running/0')
  isOpen = true
  await world.host.sleep(1_000)
  expect(await world.text('web')).toBe('Running Ready app=running/0')
  isAlive = false
  await world.host.sleep(2_900)
  isAlive = true
  await world.host.sleep(2_000)
  expect(await world.text('web')).toBe('Running Ready app=running/1')
  expect(await world.events('web')).toEqual(
    expect.arrayContaining([
      'Unhealthy: Readiness probe failed: asked for door',
      'Unhealthy: Liveness probe failed: asked for life',
      'Killing: Container app failed liveness probe, will be restarted',
    ]),
  )
  expect((await world.pod('web')).status?.containerStatuses?.[0]?.lastState).toMatchObject({
    terminated: { exitCode: 0, reason: 'Completed' },
  })
})

test('runs the preStop hook of a deleted pod, then stops it, and kills it after its grace period', async () => {
  const calls: string[] = []
  await using world = await processWorld({
    app: ({ onSignal, args: [how] = [] }) =>
      new Promise((resolve) =>
        onSignal((signal) => {
          calls.push(`${how} ${signal}`)
          if (how === 'polite') resolve(0)
        }),
      ),
    bye: async () => {
      calls.push('hook')
      return 0
    },
  })
  const lifecycle = { preStop: { exec: { command: ['bye'] } } }
  await world.create('polite', { containers: [{ ...container, args: ['polite'], lifecycle }] })
  await world.create('deaf', {
    containers: [{ ...container, args: ['deaf'] }],
    terminationGracePeriodSeconds: 5,
  })
  for (const name of ['polite', 'deaf']) await world.client.delete(Pod, name)
  await world.host.sleep(1_000)
  expect(calls.toSorted()).toEqual(['deaf SIGTERM', 'hook', 'polite SIGTERM'])
  expect(calls.indexOf('hook')).toBeLessThan(calls.indexOf('polite SIGTERM'))
  expect(await world.client.find(Pod, 'polite')).toBeUndefined()
  expect(await world.text('deaf')).toBe('Running Ready app=running/0')
  await world.host.sleep(5_000)
  expect(await world.client.find(Pod, 'deaf')).toBeUndefined()
  expect(await world.host.listDirectory('/tmp/setpoint-1/pods')).toEqual([])
})

test('runs init containers one after the other, and a sidecar from before the others until the end', async () => {
  const calls: string[] = []
  const brief: VirtualProgram = async ({ args: [name] = [] }) => {
    calls.push(`${name}`)
    await world.host.sleep(1_000)
    calls.push(`${name} done`)
    return 0
  }
  await using world = await processWorld(
    { brief, app: server },
    { brief: { command: 'brief' }, app: { command: 'app' } },
  )
  await world.create('web', {
    initContainers: [
      { name: 'first', image: 'brief', args: ['first'] },
      { name: 'proxy', image: 'app', restartPolicy: 'Always' },
      { name: 'second', image: 'brief', args: ['second'] },
    ],
    containers: [{ name: 'main', image: 'brief', args: ['main'] }],
    restartPolicy: 'Never',
  })
  expect(await world.text('web')).toBe(
    'Pending first=running/0 proxy=PodInitializing/0 second=PodInitializing/0 main=PodInitializing/0',
  )
  await world.host.sleep(2_100)
  expect(await world.text('web')).toBe(
    'Running Ready first=exit 0/0 proxy=running/0 second=exit 0/0 main=running/0',
  )
  await world.host.sleep(1_000)
  expect(await world.text('web')).toBe(
    'Succeeded first=exit 0/0 proxy=exit 0/0 second=exit 0/0 main=exit 0/0',
  )
  expect(calls).toEqual(['first', 'first done', 'second', 'second done', 'main', 'main done'])
  expect(await world.log('web', { container: 'proxy' })).toEqual(['listening', 'received SIGTERM'])
})

test('follows a log without missing a line', async () => {
  await using world = await processWorld({
    app: async ({ print }) => {
      for (let line = 0; line < 20; line += 1) {
        print(`line ${line}\n`)
        await world.host.sleep(line % 3 === 0 ? 0 : 777)
      }
      return 0
    },
  })
  await world.create('web', { restartPolicy: 'Never' })
  const lines = await world.log('web', { follow: true })
  expect(lines).toEqual(Array.from({ length: 20 }, (_, line) => `line ${line}`))
})

test('runs HTTP readiness probes and TCP startup probes', async () => {
  let status = 503
  await using world = await processWorld(
    {
      app: async ({ args: [hostname = ''] = [], onSignal }) => {
        await world.host.sleep(2_500)
        const handle = async ({ path }: { path: string }) => ({
          status: path === '/ok' ? status : 404,
        })
        const server = await world.host.listen({ hostname, port: 80, handle })
        await new Promise<void>((resolve) => onSignal(() => resolve()))
        await server.close()
        return 0
      },
    },
    () => ({ command: 'app', lastArgs: ['$(POD_IP)'] }),
  )
  const startupProbe = { tcpSocket: { port: 'http' }, periodSeconds: 1, failureThreshold: 5 }
  const readinessProbe = { httpGet: { path: '/ok', port: 'http' }, periodSeconds: 1 }
  const ports = [{ name: 'http', containerPort: 80 }]
  await world.create('web', { containers: [{ ...container, ports, startupProbe, readinessProbe }] })
  const isStarted = async (): Promise<boolean | undefined> =>
    (await world.pod('web')).status?.containerStatuses?.[0]?.started
  await world.host.sleep(2_200)
  expect(await isStarted()).toBe(false)
  await world.host.sleep(2_000)
  expect(await isStarted()).toBe(true)
  expect(await world.text('web')).toBe('Running app=running/0')
  expect(await world.events('web')).toContain(
    'Unhealthy: Readiness probe failed: HTTP probe failed with statuscode: 503',
  )
  status = 200
  await world.host.sleep(1_000)
  expect(await world.text('web')).toBe('Running Ready app=running/0')
})

test('reports the termination message of a container', async () => {
  await using world = await processWorld({
    app: async ({ args: [path = ''] = [], printError }) => {
      if (path.startsWith('/')) await world.host.writeFile(path, 'out of luck')
      printError('something broke\n')
      return 1
    },
  })
  const restartPolicy = 'Never'
  const args = ['/dev/termination-log']
  await world.create('wordy', { restartPolicy, containers: [{ ...container, args }] })
  const terminationMessagePolicy = 'FallbackToLogsOnError'
  await world.create('mute', {
    restartPolicy,
    containers: [{ ...container, terminationMessagePolicy }],
  })
  const message = async (name: string): Promise<string | undefined> =>
    (await world.pod(name)).status?.containerStatuses?.[0]?.state?.terminated?.message
  expect(await message('wordy')).toBe('out of luck')
  expect(await message('mute')).toBe('something broke')
})

test('keeps a mounted volume when its source is deleted, and waits for the postStart hook', async () => {
  const ended: number[] = []
  await using world = await processWorld({
    app: async ({ args: [path = ''] = [] }) => {
      await world.host.sleep(5_000)
      ended.push((await world.host.readFile(path)).length)
      return 0
    },
    hook: async () => {
      await world.host.sleep(1_000)
      return 0
    },
  })
  await world.client.create(ConfigMap, { metadata: { name: 'web' }, data: { a: 'abc' } })
  const lifecycle = { postStart: { exec: { command: ['hook'] } } }
  const volumeMounts = [{ name: 'etc', mountPath: '/etc/web' }]
  await world.create('web', {
    volumes: [{ name: 'etc', configMap: { name: 'web' } }],
    containers: [{ ...container, args: ['/etc/web/a'], lifecycle, volumeMounts }],
    restartPolicy: 'Never',
  })
  expect(await world.text('web')).toBe('Running app=running/0')
  await world.host.sleep(1_100)
  expect(await world.text('web')).toBe('Running Ready app=running/0')
  await world.client.delete(ConfigMap, 'web')
  await world.host.sleep(5_000)
  expect(await world.text('web')).toBe('Succeeded app=exit 0/0')
  expect(ended).toEqual([3])
})
