import { type Cluster, createCluster } from '@setpoint/cluster'
import { type RunningOperators, type RunReport, start } from 'setpoint'
import { type Client, type Connection, connectionFromKubeconfig } from 'setpoint/client'
import { seededRandom, type SeededRandom, type VirtualHost, virtualHost } from 'setpoint/host'
import { ConfigMap, CustomResourceDefinition, Namespace } from 'setpoint/kinds'
import { ChaosHost, type SentRequest } from './chaos-host.ts'
import { Journal } from './journal.ts'
import { definitions, otherNamespace, operatorsOf, readyAnnotation } from './operators.ts'
import { Users } from './users.ts'

/** The Lease of the replicas, with long intervals: it is renewed for virtual hours. */
const election = { name: 'chaos', leaseDuration: '30s', renewDeadline: '20s', retryPeriod: '7s' }

/** A replica: when its process ends, another one is started. */
interface Replica {
  readonly name: string
  process: ChaosHost
  running: RunningOperators | undefined
  reports: RunReport[]
}

/** A cluster with operators, users and faults, all determined by a seed. */
export class ChaosWorld {
  readonly host: VirtualHost
  readonly cluster: Cluster
  readonly client: Client
  readonly journal: Journal
  readonly users: Users
  readonly replicas: Replica[] = []
  readonly random: SeededRandom
  readonly #connection: Connection
  readonly #isElected: boolean
  /** Whether only the operators still make changes. */
  isQuiet = false
  #count = 0
  #isClosed = false

  private constructor(
    seed: number,
    parts: { host: VirtualHost; cluster: Cluster; connection: Connection },
  ) {
    this.host = parts.host
    this.cluster = parts.cluster
    this.client = parts.cluster.client
    this.#connection = parts.connection
    this.random = seededRandom(`${seed}/chaos`)
    this.#isElected = this.random.below(2) === 0
    this.journal = new Journal(seededRandom(`${seed}/authors`))
    this.users = new Users({
      host: parts.host,
      client: parts.cluster.client,
      random: seededRandom(`${seed}/users`),
    })
    this.journal.log = (text) =>
      void this.users.log.push(`${Math.round(this.host.monotonicMs())} ${text}`)
  }

  static async open(seed: number): Promise<ChaosWorld> {
    const host = virtualHost({ seed, rechunk: true, trace: () => undefined })
    const cluster = await createCluster({ host })
    const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
    const world = new ChaosWorld(seed, { host, cluster, connection })
    for (const definition of definitions) {
      await world.client.create(CustomResourceDefinition, definition.crd())
    }
    await world.client.create(Namespace, { metadata: { name: otherNamespace } })
    await host.sleep(1_000)
    const count = world.#isElected ? 2 : 1
    for (let index = 0; index < count; index += 1) await world.#addReplica(`replica-${index}`)
    void world.#createObjectShardsReady()
    return world
  }

  async #addReplica(name: string): Promise<void> {
    const replica = { name, process: this.#newProcess(name), running: undefined, reports: [] }
    this.replicas.push(replica)
    await this.startProcess(replica)
  }

  #newProcess(name: string): ChaosHost {
    this.#count += 1
    return new ChaosHost(
      `${name}-${this.#count}`,
      this.host,
      seededRandom(`${this.random.uint32()}/process`),
    )
  }

  /** Starts the process of a replica; retries when it fails to start. */
  async startProcess(replica: Replica): Promise<void> {
    const { process } = replica
    process.onSend = (request) => this.#checkFence(replica, request)
    const reports: RunReport[] = []
    replica.reports = reports
    replica.running = undefined
    const starting = start(operatorsOf(process, this.journal), {
      host: process.host,
      connection: this.#connection,
      onRunEnd: (report) => void reports.push(report),
      ...(this.#isElected ? { election: { ...election, identity: process.name } } : {}),
    })
    void starting.then(
      (running) => {
        replica.running = running
        running.ended.catch((error: unknown) =>
          this.journal.violations.push(`ended: ${String(error)}`),
        )
      },
      (error: unknown) => {
        this.users.log.push(`start failed: ${String(error)}`)
        void this.host.sleep(1_000).then(() => this.replace(replica, 0))
      },
    )
  }

  /** Replaces the process of a replica, which is killed if it still runs. */
  async replace(replica: Replica, afterMs: number): Promise<void> {
    const old = replica.process
    old.kill()
    await this.host.sleep(afterMs)
    if (replica.process !== old || this.#isClosed) return
    replica.process = this.#newProcess(replica.name)
    replica.process.faultPercent = old.faultPercent
    await this.startProcess(replica)
  }

  #checkFence(replica: Replica, { method, path }: SentRequest): void {
    if (method === 'GET' || path.includes('/leases')) return
    const others = this.replicas.filter(
      (other) => other !== replica && other.process.isAlive && other.running?.isLeader === true,
    )
    for (const other of others) {
      this.journal.violations.push(
        `${replica.name} sent ${method} ${path} while ${other.name} leads`,
      )
    }
  }

  /** Another controller makes shards ready when their content changes. */
  async #createObjectShardsReady(): Promise<void> {
    const random = seededRandom(`${this.random.uint32()}/ready`)
    while (!this.isQuiet && !this.#isClosed) {
      await this.host.sleep(1_000 + random.below(4_000))
      for (const { metadata, data } of await this.client.listAll(ConfigMap, {
        labelSelector: 'shard=yes',
      })) {
        const rev = data?.['rev'] ?? ''
        if (metadata.annotations?.[readyAnnotation] === rev || random.below(3) === 0) continue
        const merge = { metadata: { annotations: { [readyAnnotation]: rev } } }
        await this.users.ignoreApiErrors(() => this.client.patch(ConfigMap, metadata, { merge }))
      }
    }
  }

  /** Returns all writes of the processes from now on, except those of Leases. */
  writes(): () => string[] {
    const since = this.host.monotonicMs()
    const processes = this.replicas.map(({ process }) => process)
    return () =>
      [...new Set([...processes, ...this.replicas.map(({ process }) => process)])]
        .flatMap(({ sent }) => sent)
        .filter(
          ({ method, path, atMs }) =>
            method !== 'GET' && atMs >= since && !path.includes('/leases'),
        )
        .map(({ method, path }) => `${method} ${path}`)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { process } of this.replicas) process.kill()
    await this.cluster.dispose()
    this.host.stop()
  }
}
