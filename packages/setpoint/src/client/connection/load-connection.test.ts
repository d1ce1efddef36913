import { expect, test } from 'vitest'
import { virtualHost, type VirtualHostOptions } from '../../host/index.ts'
import { connectionFromKubeconfig, loadConnection } from '../index.ts'

const first = `
apiVersion: v1
kind: Config
current-context: one
clusters: [{name: c, cluster: {server: 'https://one:6443', certificate-authority: pki/ca.crt}}]
users:
- name: u
  user: {tokenFile: token}
contexts:
- name: one
  context: {cluster: c, user: u, namespace: team}
- {name: bare, context: {cluster: c}}
- {name: lost, context: {cluster: c, user: ghost}}
- {name: void, context: {cluster: nothing}}
`
const second = `
current-context: two
clusters: [{name: c, cluster: {server: 'https://never'}}, {name: d, cluster: {server: 'https://two'}}]
users: [{name: u, user: {token: never}}, {name: v, user: {username: me, password: secret}}]
contexts: [{name: two, context: {cluster: d, user: v}}]
`
const folder = '/var/run/secrets/kubernetes.io/serviceaccount'

function host(options: Partial<VirtualHostOptions> = {}) {
  const files = {
    '/h/.kube/config': first,
    '/etc/second': second,
    '/h/.kube/pki/ca.crt': 'CA',
    '/h/.kube/token': 'T1\n',
    ...options.files,
  }
  return virtualHost({ seed: 1, env: { HOME: '/h' }, ...options, files })
}

test('uses the kubeconfig of the home directory with its files', async () => {
  const connection = await loadConnection(host())
  expect(connection).toMatchObject({ name: 'one', server: 'https://one:6443', namespace: 'team' })
  expect(await connection.credentials.current()).toMatchObject({
    headers: { authorization: 'Bearer T1' },
    tls: { ca: 'CA' },
  })
})

test('merges several files, the first definition wins, and selects any context', async () => {
  const env = { HOME: '/h', KUBECONFIG: '/h/.kube/config:/missing:/etc/second' }
  const merged = host({ env })
  expect((await loadConnection(merged)).server).toBe('https://one:6443')
  const two = await loadConnection(merged, { context: 'two', namespace: 'mine' })
  expect(two).toMatchObject({ server: 'https://two', namespace: 'mine' })
  const basic = `Basic ${btoa('me:secret')}`
  expect((await two.credentials.current()).headers).toEqual({ authorization: basic })
  expect((await loadConnection(merged, { context: 'bare' })).namespace).toBe('default')
})

test('explains why it finds no cluster', async () => {
  const at = (context: string) => loadConnection(host(), { context })
  await expect(at('three')).rejects.toThrow(
    'there is no context "three"; the contexts are: one, bare, lost, void',
  )
  await expect(at('lost')).rejects.toThrow('names the user "ghost", which does not exist')
  await expect(at('void')).rejects.toThrow('names the cluster "nothing", which has no server')
  await expect(loadConnection(host(), { kubeconfig: '/none' })).rejects.toMatchObject({
    code: 'FILE_NOT_FOUND',
  })
  await expect(loadConnection(virtualHost({ seed: 1 }))).rejects.toMatchObject({
    code: 'CONNECTION_INVALID',
  })
  await expect(connectionFromKubeconfig(host(), '- a\n- b')).rejects.toThrow(
    'its content is not an object',
  )
  await expect(connectionFromKubeconfig(host(), 'a: [')).rejects.toThrow('cannot be read')
})

test('uses the service account in a pod, and reads its token again when it is renewed', async () => {
  const files = {
    [`${folder}/token`]: 'T1',
    [`${folder}/ca.crt`]: 'CA1',
    [`${folder}/namespace`]: 'operators\n',
  }
  const env = {
    KUBERNETES_SERVICE_HOST: 'fd00::1',
    KUBERNETES_SERVICE_PORT: '6443',
    HOME: '/missing',
  }
  const pod = virtualHost({ seed: 1, env, files })
  const connection = await loadConnection(pod)
  expect(connection).toMatchObject({ server: 'https://[fd00::1]:6443', namespace: 'operators' })
  const bearer = async () => (await connection.credentials.current()).headers['authorization']
  const ready = () => connection.credentials.ready?.()?.headers['authorization']
  expect(ready()).toBeUndefined()
  expect(await bearer()).toBe('Bearer T1')
  await pod.writeFile(`${folder}/token`, 'T2')
  expect([await bearer(), ready()]).toEqual(['Bearer T1', 'Bearer T1'])
  await pod.sleep(61_000)
  expect(ready()).toBeUndefined()
  expect(await bearer()).toBe('Bearer T2')
  expect(ready()).toBe('Bearer T2')
  await pod.writeFile(`${folder}/token`, 'T3')
  connection.credentials.refused()
  expect(await bearer()).toBe('Bearer T3')
  await pod.remove(`${folder}/token`)
  connection.credentials.refused()
  expect(await bearer()).toBe('Bearer T3')
})

function execConfig(exec: object): string {
  return JSON.stringify({
    'current-context': 'x',
    clusters: [{ name: 'c', cluster: { server: 'https://c' } }],
    users: [{ name: 'u', user: { exec: { command: 'plugin', ...exec } } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  })
}

const apiVersion = 'client.authentication.k8s.io/v1'

function credential(status: object | null): string {
  return JSON.stringify({ apiVersion, kind: 'ExecCredential', status })
}

test('asks a credential plugin again when its credential expires soon or was refused', async () => {
  const calls: unknown[] = []
  const world = virtualHost({
    seed: 1,
    startTime: 0,
    commands: {
      plugin: ({ args, env }) => {
        calls.push({ args, info: JSON.parse(env?.['KUBERNETES_EXEC_INFO'] ?? '') as unknown })
        const expirationTimestamp = new Date(world.now() + 60_000).toISOString()
        const status = { token: `T${calls.length}`, expirationTimestamp }
        return { stdout: JSON.stringify({ apiVersion, kind: 'ExecCredential', status }) }
      },
    },
  })
  const config = execConfig({ apiVersion, args: ['get-token'], provideClusterInfo: true })
  const { credentials } = await connectionFromKubeconfig(world, config)
  const bearer = async () => (await credentials.current()).headers['authorization']
  expect(await Promise.all([bearer(), bearer()])).toEqual(['Bearer T1', 'Bearer T1'])
  await world.sleep(51_000)
  expect(await bearer()).toBe('Bearer T2')
  credentials.refused()
  expect(await bearer()).toBe('Bearer T3')
  const info = { spec: { interactive: false, cluster: { server: 'https://c' } } }
  const call = { args: ['get-token'], info }
  expect(calls).toMatchObject([call, call, call])
})

test('passes the whole cluster to a plugin that asks for it, including file contents', async () => {
  const info: unknown[] = []
  const plugin = ({ env }: { env?: Readonly<Record<string, string>> | undefined }) => {
    info.push(JSON.parse(env?.['KUBERNETES_EXEC_INFO'] ?? ''))
    return { stdout: credential({ token: 't' }) }
  }
  const extensions = [
    { name: 'client.authentication.k8s.io/exec', extension: { audience: 'a' } },
    { name: 'other', extension: 1 },
  ]
  const cluster = {
    server: 'https://c',
    'tls-server-name': 'n',
    'certificate-authority': 'ca.crt',
    extensions,
  }
  const exec = { apiVersion, command: 'plugin', provideClusterInfo: true }
  const files = { '/h/.kube/config': config(cluster, { exec }), '/h/.kube/ca.crt': 'CA' }
  const { credentials } = await loadConnection(host({ files, commands: { plugin } }))
  await credentials.current()
  const spec = {
    interactive: false,
    cluster: {
      server: 'https://c',
      'tls-server-name': 'n',
      config: { audience: 'a' },
      'certificate-authority-data': btoa('CA'),
    },
  }
  expect(info).toEqual([{ apiVersion, kind: 'ExecCredential', spec }])
})

test('replaces a refused credential once for many requests', async () => {
  let runs = 0
  const plugin = () => ({ stdout: credential({ token: `T${(runs += 1)}` }) })
  const world = virtualHost({
    seed: 1,
    env: { KUBERNETES_SERVICE_HOST: '10.0.0.1' },
    files: { [`${folder}/token`]: 'T1', [`${folder}/ca.crt`]: 'CA' },
    commands: { plugin },
  })
  const own = await connectionFromKubeconfig(world, execConfig({ apiVersion }))
  const pod = await loadConnection(world)
  for (const { credentials } of [own, pod]) {
    const [old, same] = await Promise.all([credentials.current(), credentials.current()])
    expect(same).toBe(old)
    await world.writeFile(`${folder}/token`, 'T2')
    for (let late = 0; late < 3; late += 1) {
      credentials.refused(old)
      expect((await credentials.current()).headers).toEqual({ authorization: 'Bearer T2' })
      await world.writeFile(`${folder}/token`, 'T3')
    }
  }
  expect(runs).toBe(2)
})

test('shows the install hint of a plugin that fails', async () => {
  const outcomes = {
    'exited with code 1: no session': { exitCode: 1, stderr: 'no session\n' },
    'printed no JSON': { stdout: 'hello' },
    'printed no ExecCredential': { stdout: '{"kind":"Pod"}' },
    'neither a token nor a certificate': { stdout: credential({}) },
    'nor a certificate': { stdout: credential({ token: '' }) },
    'a certificate with its key': { stdout: credential({ token: 't', clientKeyData: 'K' }) },
    'no ExecCredential': { stdout: credential(null) },
    'printed no ExecCredential of': { stdout: 'null' },
    'an invalid expirationTimestamp': {
      stdout: credential({ token: 't', expirationTimestamp: 'soon' }),
    },
  }
  for (const [words, result] of Object.entries(outcomes)) {
    const world = virtualHost({ seed: 1, commands: { plugin: () => result } })
    const config = execConfig({ apiVersion, installHint: 'get it from us' })
    const { credentials } = await connectionFromKubeconfig(world, config)
    await expect(credentials.current()).rejects.toMatchObject({
      code: 'CREDENTIALS_UNAVAILABLE',
      hint: 'get it from us',
      message: expect.stringContaining(words) as string,
    })
  }
  const { credentials } = await connectionFromKubeconfig(virtualHost({ seed: 1 }), execConfig({}))
  await expect(credentials.current()).rejects.toMatchObject({ code: 'CREDENTIALS_UNAVAILABLE' })
})

test('does not show the output of a plugin, and explains that one needs a terminal', async () => {
  const printing = (stdout: string, exec = {}, isTerminal = false) =>
    connectionFromKubeconfig(
      virtualHost({ seed: 1, isTerminal, commands: { plugin: () => ({ stdout }) } }),
      execConfig({ apiVersion, ...exec }),
    )
  const bare = await printing('TOPSECRET')
  const error: unknown = await bare.credentials.current().catch((caught: unknown) => caught)
  expect(error).toMatchObject({ code: 'CREDENTIALS_UNAVAILABLE' })
  expect(error).not.toHaveProperty('cause')
  expect(String(error)).not.toContain('TOPSECRET')
  const always = { interactiveMode: 'Always' }
  const alone = await printing(credential({ token: 't' }), always)
  await expect(alone.credentials.current()).rejects.toThrow('plugin needs a terminal')
  const seen = await printing(credential({ token: 't' }), always, true)
  expect((await seen.credentials.current()).headers).toEqual({ authorization: 'Bearer t' })
  await expect(printing('', { command: '' })).rejects.toThrow('has an exec without a command')
})

test('refuses a certificate without its key', async () => {
  const named = (user: object) =>
    connectionFromKubeconfig(virtualHost({ seed: 1 }), config({ server: 'https://c' }, user))
  await expect(named({ 'client-certificate-data': btoa('c') })).rejects.toThrow(
    'has a client-certificate without a client-key',
  )
  await expect(named({ 'client-key': '/k.pem' })).rejects.toThrow(
    'has a client-key without a client-certificate',
  )
})

test('finds a command with a slash relative to its kubeconfig, a bare one on the PATH', async () => {
  const answer = (token: string) => () => ({ stdout: credential({ token }) })
  const commands = { '/h/.kube/./bin/plugin': answer('relative'), plugin: answer('path') }
  for (const [command, token] of [
    ['./bin/plugin', 'relative'],
    ['plugin', 'path'],
  ] as const) {
    const files = { '/h/.kube/config': execConfig({ apiVersion, command }) }
    const { credentials } = await loadConnection(host({ files, commands }))
    expect((await credentials.current()).headers).toEqual({ authorization: `Bearer ${token}` })
  }
})

/** A kubeconfig of one context with this cluster and user. */
function config(cluster: unknown, user: unknown = {}): string {
  return JSON.stringify({
    'current-context': 'x',
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u', namespace: '' } }],
  })
}

test('reports where a kubeconfig is invalid without showing its content', async () => {
  const broken = {
    'not valid YAML at line 3, column': 'users:\n- user: {token: TOPSECRET\n  x: [}',
    'not valid JSON at': '{"token": TOPSECRET}',
    'not valid JSON at position': '{"token": "TOPSECRET" oops}',
  }
  for (const [words, text] of Object.entries(broken)) {
    const error: unknown = await connectionFromKubeconfig(host(), text).catch((e: unknown) => e)
    expect(error).toMatchObject({ code: 'CONNECTION_INVALID' })
    expect(error).not.toHaveProperty('cause')
    expect(String(error)).toContain(`the kubeconfig cannot be read: it is ${words}`)
    expect(String(error)).not.toContain('SECRET')
  }
  await expect(connectionFromKubeconfig(host(), '- a')).rejects.toThrow(
    /^the kubeconfig is not a kubeconfig/,
  )
})

test('names what is missing in a kubeconfig', async () => {
  const server = 'https://c'
  const gaps: Record<string, string> = {
    'the cluster "c", which has no server': config(undefined),
    'which has no server': config({ server: '' }),
    'has no server': config({ server: 17 }),
    'the server "not a url", which is not a URL': config({ server: 'not a url' }),
    'certificate-authority-data of the context x is not base64': config({
      server,
      'certificate-authority-data': '!',
    }),
    'client-key-data of the context x is not base64': config(
      { server },
      { 'client-key-data': '!' },
    ),
    'names the cluster ""': '{"current-context":"x","contexts":[{"name":"x"}]}',
  }
  for (const [words, text] of Object.entries(gaps)) {
    await expect(connectionFromKubeconfig(host(), text)).rejects.toMatchObject({
      code: 'CONNECTION_INVALID',
      message: expect.stringContaining(words) as string,
    })
  }
})

test('adds the scheme to a server by its settings, and ignores a byte order mark', async () => {
  const at = async (cluster: object) =>
    (await connectionFromKubeconfig(host(), `\uFEFF${config(cluster)}`)).server
  expect(await at({ server: 'c:8080' })).toBe('http://c:8080')
  expect(await at({ server: 'c', 'insecure-skip-tls-verify': true })).toBe('https://c')
})

test('sends credentials in the headers that servers read', async () => {
  const headersOf = async (user: object) => {
    const connection = await connectionFromKubeconfig(host(), config({ server: 'https://c' }, user))
    expect(connection.namespace).toBe('default')
    return (await connection.credentials.current()).headers
  }
  expect(await headersOf({ token: 'abc\n' })).toEqual({ authorization: 'Bearer abc' })
  expect(await headersOf({ token: 123 })).toEqual({ authorization: 'Bearer 123' })
  expect(await headersOf({ username: '', token: null, exec: null })).toEqual({})
  const extra = { 'acme.com/p': ['x', 'y'] }
  expect(
    await headersOf({ as: 'bob', 'as-uid': '7', 'as-groups': ['a', 'b'], 'as-user-extra': extra }),
  ).toEqual({
    'impersonate-user': 'bob',
    'impersonate-uid': '7',
    'impersonate-group': ['a', 'b'],
    'impersonate-extra-acme.com%2Fp': ['x', 'y'],
  })
})

test('keeps the old token while the file is being written', async () => {
  const files = { [`${folder}/token`]: '', [`${folder}/ca.crt`]: 'CA' }
  const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1' }
  const pod = virtualHost({ seed: 1, env, files })
  const { credentials } = await loadConnection(pod)
  await expect(credentials.current()).rejects.toMatchObject({
    code: 'CREDENTIALS_UNAVAILABLE',
    message: expect.stringContaining(`the file ${folder}/token is empty`) as string,
  })
  for (const token of ['T1', '\n']) {
    await pod.writeFile(`${folder}/token`, token)
    credentials.refused()
    expect((await credentials.current()).headers).toEqual({ authorization: 'Bearer T1' })
  }
  const outside = virtualHost({ seed: 1, files, env: { KUBERNETES_SERVICE_HOST: '' } })
  await expect(loadConnection(outside)).rejects.toThrow('there is no kubeconfig')
})
