/** The differences between the three platforms: the host, the server, and how tests wait. */
import { createCluster } from '@setpoint/cluster'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectionFromKubeconfig, type Connection } from 'setpoint/client'
import { type Host, nodeHost, readText, virtualHost } from 'setpoint/host'
import type { Upstream } from './fault-proxy.ts'
import { fastClockHost, shortWatchTimeoutHost } from './fast-hosts.ts'
import type { ProxyListener, HandleRequest } from './proxied-request.ts'
import { openSocketListener } from './socket-listener.ts'
import { LostResponses, openVirtualListener } from './virtual-listener.ts'

/** The name of a world. */
export type PlatformName = 'virtual' | 'socket' | 'real'

/** The requests between operators and their server. */
interface Traffic {
  /** The number of requests so far. */
  count(): number
  /** Whether a request waits for its response. */
  isBusy(): boolean
}

/** The host and the server of a world. */
export interface Platform {
  readonly name: PlatformName
  readonly host: Host
  /** A host with shorter waiting times, for real sockets. */
  readonly hosts: Readonly<Record<'fastClock' | 'shortWatchTimeout', Host>>
  /** A client with administrator rights. */
  readonly connection: Connection
  readonly upstream: Upstream
  /** A folder for files of the test. */
  readonly folder: string
  readonly openListener: (handle: HandleRequest) => Promise<ProxyListener>
  /** The interval between two checks, and their maximum number. */
  readonly checkIntervalMs: number
  readonly checksMax: number
  /** Waits until there was no request for some time. */
  readonly settle: (traffic: Traffic) => Promise<void>
  /** Restarts the server; `undefined` when only its sockets can be restarted. */
  readonly restart: (() => Promise<void>) | undefined
  readonly dispose: () => Promise<void>
}

/** Creates the platform of a world. */
export async function openPlatform(name: PlatformName): Promise<Platform> {
  if (name === 'virtual') return virtualPlatform()
  return name === 'socket' ? socketPlatform() : realPlatform()
}

async function virtualPlatform(): Promise<Platform> {
  const lost = new LostResponses()
  const host = virtualHost({ seed: 1, intercept: lost.intercept, rechunk: true })
  const cluster = await createCluster({ host, workloads: 'off' })
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  return {
    name: 'virtual',
    host,
    hosts: { fastClock: host, shortWatchTimeout: host },
    connection,
    upstream: { network: host, url: cluster.url, tls: { ca: cluster.caCert } },
    folder: '/test',
    openListener: (handle) => openVirtualListener({ host, lost }, handle),
    checkIntervalMs: 1_000,
    checksMax: 600,
    settle: () => host.sleep(3_600_000),
    restart: undefined,
    dispose: async () => {
      await cluster.dispose()
      host.stop()
    },
  }
}

/** The timeout of checks on real sockets. */
const onSockets = { checkIntervalMs: 20, checksMax: 1_500 }

function nodeHosts(): Pick<Platform, 'host' | 'hosts' | 'folder' | 'settle' | 'openListener'> {
  // Injected faults cause log lines, which would hide the output of tests.
  const host: Host = { ...nodeHost(), log: () => undefined }
  return {
    host,
    hosts: { fastClock: fastClockHost(host, 3), shortWatchTimeout: shortWatchTimeoutHost(host) },
    folder: join(tmpdir(), `setpoint-runtime-${host.uuid()}`),
    openListener: openSocketListener,
    settle: async (traffic) => {
      let seen = -1
      while (seen !== traffic.count() || traffic.isBusy()) {
        seen = traffic.count()
        await host.sleep(300)
      }
    },
  }
}

async function socketPlatform(): Promise<Platform> {
  const node = nodeHosts()
  const { host, folder } = node
  const cluster = await createCluster({ host, workloads: 'off' })
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  return {
    name: 'socket',
    ...node,
    ...onSockets,
    connection,
    upstream: { network: host, url: cluster.url, tls: { ca: cluster.caCert } },
    restart: undefined,
    dispose: async () => {
      await cluster.dispose()
      await host.remove(folder)
    },
  }
}

async function realPlatform(): Promise<Platform> {
  const node = nodeHosts()
  const { host, folder } = node
  const connection = await realConnection(host)
  const { ca, serverName, insecureSkipVerify } = (await connection.credentials.current()).tls
  const restartUrl = process.env['SETPOINT_TEST_RESTART_URL']
  return {
    name: 'real',
    ...node,
    ...onSockets,
    connection,
    upstream: {
      network: host,
      url: connection.server.replace(/\/$/, ''),
      tls: { ca, serverName, insecureSkipVerify },
    },
    restart: restartUrl === undefined ? undefined : () => askForRestart(host, restartUrl),
    dispose: () => host.remove(folder),
  }
}

async function realConnection(host: Host): Promise<Connection> {
  const path = process.env['SETPOINT_TEST_KUBECONFIG']
  if (path === undefined) throw new Error('the real control plane needs npm run test:real')
  return connectionFromKubeconfig(host, readFileSync(path, 'utf8'))
}

async function askForRestart(host: Host, url: string): Promise<void> {
  const { status, body } = await host.request({ method: 'POST', url })
  const text = await readText(body, 10_000)
  if (status !== 200) throw new Error(`the API server was not restarted: ${text}`)
}
