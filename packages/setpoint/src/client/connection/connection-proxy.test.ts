import { createCluster } from '@setpoint/cluster'
import { expect, test } from 'vitest'
import { type CommandOptions, virtualHost } from '../../host/index.ts'
import { ConfigMap } from '../../kinds/index.ts'
import { proxyFromEnvironment } from './connection-proxy.ts'
import { Client, connectionFromKubeconfig, loadConnection } from '../index.ts'

const proxyOf = (server: string, env: Readonly<Record<string, string>>) =>
  proxyFromEnvironment(virtualHost({ seed: 1, env }), server)

function kubeconfig(cluster: object): string {
  return JSON.stringify({
    'current-context': 'x',
    clusters: [{ name: 'c', cluster: { server: 'https://c.example', ...cluster } }],
    contexts: [{ name: 'x', context: { cluster: 'c' } }],
  })
}

test('interprets NO_PROXY as Go does', () => {
  const noProxy =
    'foobar.com, .barbaz.net, *.wildcard.io, 192.168.1.1, 192.168.1.2:81, 192.168.1.3:80, ' +
    '10.0.0.0/30, 2001:db8::52:0:1, [2001:db8::52:0:2]:443, [2001:db8::52:0:3]:80, ' +
    '2002:db8:a::45/64, ported.org:80, other.org:81, \u793a\u4f8b.com, :1, ,10.9.9.9/33'
  const table: Record<string, boolean> = {
    localhost: false,
    '127.0.0.1': false,
    '127.0.0.2': false,
    '[::1]': false,
    '[::ffff:127.0.0.1]': false,
    '[::2]': true,
    '192.168.1.1': false,
    '[::ffff:192.168.1.1]': false,
    '192.168.1.2': true,
    '192.168.1.3': false,
    '192.168.1.4': true,
    '10.0.0.2': false,
    '10.0.0.4': true,
    '10.9.9.9': true,
    '[2001:db8::52:0:1]': false,
    '[2001:db8::52:0:2]': true,
    '[2001:db8::52:0:3]': false,
    '[2002:db8:a::123]': false,
    '[2002:db8:a:1::123]': true,
    '[fe80::424b:c8be:1643:a1b6]': true,
    'barbaz.net': true,
    'www.barbaz.net': false,
    'foobar.com': false,
    'FOOBAR.com': false,
    'www.foobar.com': false,
    'foofoobar.com': true,
    'baz.com': true,
    'localhost.net': true,
    'local.localhost': true,
    'wildcard.io': true,
    'nested.wildcard.io': false,
    'awildcard.io': true,
    'ported.org': false,
    'a.ported.org': false,
    'other.org': true,
    'www.xn--fsq092h.com': false,
  }
  for (const [name, isProxied] of Object.entries(table)) {
    const env = { HTTP_PROXY: 'http://p', NO_PROXY: noProxy }
    const expected = isProxied ? 'http://p' : undefined
    expect([name, proxyOf(`http://${name}`, env)]).toEqual([name, expected])
    expect(proxyOf(`http://${name}`, { ...env, NO_PROXY: 'a.example, *' })).toBeUndefined()
  }
})

test('selects the variable by the scheme of the server, in upper or lower case', () => {
  const both = { HTTP_PROXY: 'one:3128', HTTPS_PROXY: 'https://two' }
  expect(proxyOf('http://c.example', both)).toBe('http://one:3128')
  expect(proxyOf('https://c.example', both)).toBe('https://two')
  expect(proxyOf('https://c.example', { HTTP_PROXY: 'one' })).toBeUndefined()
  expect(proxyOf('https://c.example', { HTTPS_PROXY: '', https_proxy: 'x' })).toBe('http://x')
  const exempt = { https_proxy: 'x', no_proxy: 'c.example:443' }
  expect(proxyOf('https://c.example', exempt)).toBeUndefined()
  expect(proxyOf('https://c.example:6443', exempt)).toBe('http://x')
  const cgi = { ...both, REQUEST_METHOD: 'GET' }
  expect(() => proxyOf('http://c.example', cgi)).toThrow('HTTP_PROXY')
  expect(proxyOf('https://c.example', cgi)).toBe('https://two')
})

test('refuses an unusable proxy without showing it', async () => {
  const host = virtualHost({ seed: 1, env: { HTTPS_PROXY: 'socks5://me:secret@p' } })
  const load = async (cluster: object) => {
    const error: unknown = await connectionFromKubeconfig(host, kubeconfig(cluster)).catch(
      (cause: unknown) => cause,
    )
    expect(error).toMatchObject({ code: 'CONNECTION_INVALID' })
    expect(String(error)).not.toContain('secret')
    return String(error)
  }
  expect(await load({})).toContain('HTTPS_PROXY names a socks5: proxy')
  const ofCluster = 'proxy-url of the cluster of the context x'
  expect(await load({ 'proxy-url': 'socks5://me:secret@p' })).toContain(`${ofCluster} names a`)
  expect(await load({ 'proxy-url': '//me:secret@p' })).toContain(`${ofCluster} is not a URL`)
})

test('prefers the proxy of the kubeconfig to the environment, even for this machine', async () => {
  const env = { HTTPS_PROXY: 'http://env', NO_PROXY: 'd.example' }
  const host = virtualHost({ seed: 1, env })
  const proxy = async (cluster: object) =>
    (await connectionFromKubeconfig(host, kubeconfig(cluster))).proxy
  expect(await proxy({})).toBe('http://env')
  expect(await proxy({ 'proxy-url': '' })).toBe('http://env')
  expect(await proxy({ 'proxy-url': 'http://own:1' })).toBe('http://own:1')
  expect(await proxy({ server: 'https://d.example' })).toBeUndefined()
  const local = { server: 'https://localhost', 'proxy-url': 'http://own:1' }
  expect(await proxy(local)).toBe('http://own:1')
})

test('passes the proxy of the cluster to a credential plugin', async () => {
  let info = ''
  const plugin = ({ env }: CommandOptions) => {
    info = env?.['KUBERNETES_EXEC_INFO'] ?? ''
    return { exitCode: 1 }
  }
  const host = virtualHost({ seed: 1, commands: { plugin } })
  const cluster = { server: 'https://c.example', 'proxy-url': 'http://own:1' }
  const text = JSON.stringify({
    'current-context': 'x',
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user: { exec: { command: 'plugin', provideClusterInfo: true } } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
  })
  const { credentials } = await connectionFromKubeconfig(host, text)
  await expect(credentials.current()).rejects.toMatchObject({ code: 'CREDENTIALS_UNAVAILABLE' })
  expect(JSON.parse(info)).toMatchObject({ spec: { cluster } })
})

test('uses the proxy of the environment in a pod', async () => {
  const folder = '/var/run/secrets/kubernetes.io/serviceaccount'
  const files = { [`${folder}/token`]: 'T', [`${folder}/ca.crt`]: 'CA' }
  const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1', HTTPS_PROXY: 'http://p:1' }
  expect((await loadConnection(virtualHost({ seed: 1, env, files }))).proxy).toBe('http://p:1')
  const exempt = { ...env, NO_PROXY: '10.0.0.0/8' }
  const direct = await loadConnection(virtualHost({ seed: 1, env: exempt, files }))
  expect(direct.proxy).toBeUndefined()
})

test('sends every call of a client through the proxy', async () => {
  const host = virtualHost({ seed: 1 })
  const cluster = await createCluster({ host })
  const proxy = await host.listen({
    hostname: 'proxy.example',
    port: 3128,
    handle: () => Promise.resolve({ status: 500 }),
  })
  const direct = await connectionFromKubeconfig(host, cluster.kubeconfig())
  const client = new Client(host, { ...direct, proxy: 'http://proxy.example:3128' })
  await client.create(ConfigMap, { metadata: { name: 'a' } })
  expect((await client.get(ConfigMap, 'a')).metadata.name).toBe('a')
  await proxy.close()
  await expect(client.create(ConfigMap, { metadata: { name: 'b' } })).rejects.toMatchObject({
    code: 'NETWORK_CONNECT_FAILED',
  })
  await cluster.dispose()
  host.stop()
})
