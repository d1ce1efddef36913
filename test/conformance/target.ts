import { createCluster, type ClusterOptions } from '@setpoint/cluster'
import { nodeHost, virtualHost, type Network, type TlsClientSettings } from 'setpoint/host'
import { readFileSync } from 'node:fs'
import { type AggregatedServers, startAggregated } from './aggregated-server.ts'
import { type HookServer, startHooks } from './hook-server.ts'

/** A server on which cases run. */
export interface Target extends AsyncDisposable {
  readonly network: Network
  readonly url: string
  readonly tls: TlsClientSettings | undefined
  /** The webhooks that the server can call. */
  readonly hooks: HookServer
  /** The servers of aggregated APIs that the server can call. */
  readonly aggregated: AggregatedServers
  /** Waits before a request is repeated. */
  readonly pause: () => Promise<void>
  /** Compacts all revisions but the latest. */
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

/** The embedded server in virtual time: a watch of one second takes no real time. */
export async function embeddedTarget(options: Pick<ClusterOptions, 'audit'> = {}): Promise<Target> {
  const host = virtualHost({ seed: 'conformance' })
  const cluster = await createCluster({
    host,
    ...options,
    workloads: 'off',
    users: [{ name: 'viewer', uid: 'viewer-uid', token: 'viewer-token' }],
  })
  const config = JSON.parse(cluster.kubeconfig()) as Kubeconfig
  const user = config.users[0]?.user
  const hooks = await startHooks(host)
  const aggregated = await startAggregated(host)
  return {
    network: host,
    hooks,
    aggregated,
    url: cluster.url,
    tls: {
      ca: cluster.caCert,
      cert: text(user?.['client-certificate-data']),
      key: text(user?.['client-key-data']),
    },
    pause: () => host.sleep(50),
    compact: async () => cluster.compact(),
    [Symbol.asyncDispose]: async () => {
      await hooks.close()
      await aggregated.close()
      await cluster.dispose()
      host.stop()
    },
  }
}

/**
 * A running server, by a kubeconfig whose credentials are files, and the address of its
 * etcd.
 */
export async function runningTarget(kubeconfig: string, etcd: string | undefined): Promise<Target> {
  const config = readFileSync(kubeconfig, 'utf8')
  const pick = (name: string): string => {
    const value = new RegExp(`${name}: "?([^"\\s,}]+)`).exec(config)?.[1]
    if (value === undefined) throw new Error(`${kubeconfig} has no ${name}`)
    return value
  }
  const host = nodeHost()
  const hooks = await startHooks(host)
  const aggregated = await startAggregated(host)
  return {
    network: host,
    hooks,
    aggregated,
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
      // A server checks every 15 seconds whether it must drop compacted revisions from its cache.
      await host.sleep(17_000)
    },
    [Symbol.asyncDispose]: async () => {
      await hooks.close()
      await aggregated.close()
    },
  }
}

/**
 * Compacts like a kube-apiserver, which stores the compacted revision under a key for
 * other
 * servers.
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
