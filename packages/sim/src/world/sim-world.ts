import { type Cluster, type ClusterSnapshot, createCluster } from '@setpoint/cluster'
import { type Connection, connectionFromKubeconfig } from 'setpoint/client'
import { type VirtualHost, virtualHost } from 'setpoint/host'
import { type Program, runProgram } from './program.ts'
import { type ProcessWrite, SimulatedProcess, type WriteFault } from './simulated-process.ts'

/** The state of the cluster at one moment, from which any number of worlds can start. */
export interface Checkpoint {
  readonly cluster: ClusterSnapshot
  readonly timeMs: number
}

/** A write of the program, with its process. */
export interface RecordedWrite extends ProcessWrite {
  /** Counts the starts of the program from 1. */
  readonly process: number
  readonly timeMs: number
}

interface WorldOptions {
  readonly program: Program
  readonly seed: string
  readonly from?: Checkpoint | undefined
  /** Decides what happens to a write of the program. */
  readonly faultOf?: ((write: RecordedWrite) => WriteFault | undefined) | undefined
}

/** The user of the program, with administrator rights: RBAC is the subject of other tests. */
const programUser = 'operator'

/** How long a crashed process is down. */
const restartMs = 2000

/**
 * A cluster in virtual time and at most one process of the program. A world is cheap: it starts
 * from a checkpoint, and not from the beginning.
 */
export class SimWorld implements AsyncDisposable {
  readonly cluster: Cluster
  readonly host: VirtualHost
  readonly writes: RecordedWrite[] = []
  readonly failures: string[] = []
  readonly #connection: Connection
  readonly #options: WorldOptions
  #process: SimulatedProcess | undefined
  #starts = 0
  #isStopped = true

  private constructor(
    options: WorldOptions,
    parts: { cluster: Cluster; host: VirtualHost; connection: Connection },
  ) {
    this.#options = options
    this.cluster = parts.cluster
    this.host = parts.host
    this.#connection = parts.connection
  }

  static async open(options: WorldOptions): Promise<SimWorld> {
    const { seed, from } = options
    const host = virtualHost({ seed, startTime: from?.timeMs, trace: () => undefined })
    const cluster = await createCluster({
      host,
      users: [{ name: programUser, groups: ['system:masters'], token: 'simulated' }],
      ...(from === undefined ? {} : { snapshot: from.cluster }),
    })
    const context = { context: programUser }
    const connection = await connectionFromKubeconfig(host, cluster.kubeconfig(), context)
    return new SimWorld(options, { cluster, host, connection })
  }

  checkpoint(): Checkpoint {
    return { cluster: this.cluster.snapshot(), timeMs: this.host.now() }
  }

  /** Starts the program, and again after each crash. */
  start(): void {
    this.#isStopped = false
    this.#startProcess()
  }

  /** Ends the program without a chance to clean up. */
  stop(): void {
    this.#isStopped = true
    this.#process?.kill()
  }

  /** The watches of a resource deliver nothing to the process that runs now. */
  hold(plural: string): void {
    this.#process?.hold(plural)
  }

  release(plural: string): void {
    this.#process?.release(plural)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop()
    await this.cluster.dispose()
    this.host.stop()
  }

  #startProcess(): void {
    this.#starts += 1
    const number = this.#starts
    const process = new SimulatedProcess({
      host: this.host,
      onWrite: (write) => {
        const timeMs = this.host.monotonicMs()
        const recorded = Object.assign(write, { process: number, timeMs })
        this.writes.push(recorded)
        return this.#options.faultOf?.(recorded)
      },
      onCrash: () => this.#restartLater(),
    })
    this.#process = process
    const context = { host: process.host, connection: this.#connection }
    const ended = runProgram(this.#options.program, context, (what) => {
      if (process.isAlive) this.failures.push(what)
    })
    // A process that ends is started again, as a kubelet does.
    void ended.then(() => {
      if (!process.isAlive) return
      process.kill()
      this.#restartLater()
    })
  }

  #restartLater(): void {
    this.host.setTimer(restartMs, () => {
      if (!this.#isStopped) this.#startProcess()
    })
  }
}
