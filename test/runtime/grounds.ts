/** What the three worlds differ in: the host, the server, and how one waits there. */
import { createCluster } from '@setpoint/cluster'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectionFromKubeconfig, type Connection } from 'setpoint/client'
import { type Host, nodeHost, readText, virtualHost } from 'setpoint/host'
import type { Upstream } from './fault-proxy.ts'
import { hurriedHost, impatientHost } from './hurried-host.ts'
import type { ProxyFront, TakeRequest } from './proxied-request.ts'
import { openSocketFront } from './socket-front.ts'
import { LostAnswers, openVirtualFront } from './virtual-front.ts'

/** The name of a world. */
export type GroundName = 'virtual' | 'socket' | 'real'

/** What goes on between operators and their server. */
interface Traffic {
  /** How many requests there were. */
  count(): number
  /** Whether one of them is not answered yet. */
  isBusy(): boolean
}

/** The ground a world stands on. */
export interface Ground {
  readonly name: GroundName
  readonly host: Host
  /** The host of a process that must not take as long as it would. */
  readonly hosts: Readonly<Record<'hurried' | 'impatient', Host>>
  /** An administrator's. */
  readonly connection: Connection
  readonly upstream: Upstream
  /** A folder for files of the test. */
  readonly folder: string
  readonly openFront: (take: TakeRequest) => Promise<ProxyFront>
  /** One moment between two looks, and how many there are. */
  readonly lookMs: number
  readonly looksMax: number
  /** Lets so much time pass without a request that nothing more comes. */
  readonly calm: (traffic: Traffic) => Promise<void>
  /** Restarts the server; `undefined` when only its sockets can be. */
  readonly restart: (() => Promise<void>) | undefined
  readonly dispose: () => Promise<void>
}

/** Makes the ground of a world. */
export async function openGround(name: GroundName): Promise<Ground> {
  if (name === 'virtual') return virtualGround()
  return name === 'socket' ? socketGround() : realGround()
}

async function virtualGround(): Promise<Ground> {
  const lost = new LostAnswers()
  const host = virtualHost({ seed: 1, intercept: lost.intercept, rechunk: true })
  const cluster = await createCluster({ host, workloads: 'off' })
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  return {
    name: 'virtual',
    host,
    hosts: { hurried: host, impatient: host },
    connection,
    upstream: { network: host, url: cluster.url, tls: { ca: cluster.caCert } },
    folder: '/test',
    openFront: (take) => openVirtualFront({ host, lost }, take),
    lookMs: 1_000,
    looksMax: 600,
    calm: () => host.sleep(3_600_000),
    restart: undefined,
    dispose: async () => {
      await cluster.dispose()
      host.stop()
    },
  }
}

/** How patient a test is on real sockets. */
const onSockets = { lookMs: 20, looksMax: 1_500 }

function nodeHosts(): Pick<Ground, 'host' | 'hosts' | 'folder' | 'calm' | 'openFront'> {
  // Faults make operators complain, which is not what a person who runs tests wants to read.
  const host: Host = { ...nodeHost(), log: () => undefined }
  return {
    host,
    hosts: { hurried: hurriedHost(host, 3), impatient: impatientHost(host) },
    folder: join(tmpdir(), `setpoint-runtime-${host.uuid()}`),
    openFront: openSocketFront,
    calm: async (traffic) => {
      let seen = -1
      while (seen !== traffic.count() || traffic.isBusy()) {
        seen = traffic.count()
        await host.sleep(300)
      }
    },
  }
}

async function socketGround(): Promise<Ground> {
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

async function realGround(): Promise<Ground> {
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
  if (path === undefined) throw new Error('the real world is entered by npm run test:real')
  return connectionFromKubeconfig(host, readFileSync(path, 'utf8'))
}

async function askForRestart(host: Host, url: string): Promise<void> {
  const { status, body } = await host.request({ method: 'POST', url })
  const text = await readText(body, 10_000)
  if (status !== 200) throw new Error(`the API server was not restarted: ${text}`)
}
