import { createCluster } from '@setpoint/cluster'
import { nodeHost, virtualHost, type Network, type TlsClientSettings } from 'setpoint/host'
import { readFileSync } from 'node:fs'

/** A server that cases run on. */
export interface Target extends AsyncDisposable {
  readonly network: Network
  readonly url: string
  readonly tls: TlsClientSettings | undefined
  /** Lets a moment pass before something is asked again. */
  readonly pause: () => Promise<void>
  /** Forgets every state but the latest. */
  readonly compact: () => Promise<void>
}

interface Kubeconfig {
  readonly clusters: readonly {
    readonly cluster: { server: string; 'certificate-authority-data': string }
  }[]
  readonly users: readonly {
    readonly user: { 'client-certificate-data': string; 'client-key-data': string }
  }[]
}

function text(base64: string | undefined): string {
  return Buffer.from(base64 ?? '', 'base64').toString('utf8')
}

/** The embedded server in virtual time: a watch that lasts a second takes none. */
export async function embeddedTarget(): Promise<Target> {
  const host = virtualHost({ seed: 'conformance' })
  const cluster = await createCluster({
    host,
    workloads: 'off',
    users: [{ name: 'viewer', uid: 'viewer-uid', token: 'viewer-token' }],
  })
  const config = JSON.parse(cluster.kubeconfig()) as Kubeconfig
  const user = config.users[0]?.user
  return {
    network: host,
    url: cluster.url,
    tls: {
      ca: cluster.caCert,
      cert: text(user?.['client-certificate-data']),
      key: text(user?.['client-key-data']),
    },
    pause: () => host.sleep(50),
    compact: async () => cluster.compact(),
    [Symbol.asyncDispose]: async () => {
      await cluster.dispose()
      host.stop()
    },
  }
}

/**
 * A server that runs already, by a kubeconfig whose credentials are files, and the address of its
 * etcd.
 */
export function runningTarget(kubeconfig: string, etcd: string | undefined): Target {
  const config = readFileSync(kubeconfig, 'utf8')
  const pick = (name: string): string => {
    const value = new RegExp(`${name}: "?([^"\\s,}]+)`).exec(config)?.[1]
    if (value === undefined) throw new Error(`${kubeconfig} has no ${name}`)
    return value
  }
  const host = nodeHost()
  return {
    network: host,
    url: pick('server'),
    tls: {
      ca: readFileSync(pick('certificate-authority'), 'utf8'),
      cert: readFileSync(pick('client-certificate'), 'utf8'),
      key: readFileSync(pick('client-key'), 'utf8'),
    },
    pause: () => host.sleep(50),
    compact: async () => {
      if (etcd === undefined) throw new Error('a case that compacts needs the address of etcd')
      await compactEtcd(etcd)
      // A server looks every 15 seconds whether it must forget what it had kept in memory.
      await host.sleep(17_000)
    },
    [Symbol.asyncDispose]: async () => undefined,
  }
}

/**
 * Compacts as a kube-apiserver does it every few minutes: it leaves the revision under a key for
 * the others.
 */
async function compactEtcd(url: string): Promise<void> {
  const call = async (path: string, body: object): Promise<EtcdAnswer> => {
    const response = await fetch(`${url}/v3/kv/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`etcd: ${await response.text()}`)
    return (await response.json()) as EtcdAnswer
  }
  const base64 = (value: string): string => Buffer.from(value).toString('base64')
  const key = base64('compact_rev_key')
  const { revision } = (await call('range', { key })).header
  await call('put', { key, value: base64(revision) })
  await call('compaction', { revision, physical: true })
}

interface EtcdAnswer {
  readonly header: { readonly revision: string }
}
