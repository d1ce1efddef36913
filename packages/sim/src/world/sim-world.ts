import {
  type Cluster,
  type ClusterSnapshot,
  createCluster,
  type LeftOut,
  type StoredChange,
} from '@setpoint/cluster'
import { type Connection, connectionFromKubeconfig } from 'setpoint/client'
import { type VirtualHost, virtualHost } from 'setpoint/host'
import { ExternalWorld, type ExternalState } from '../external/external-world.ts'
import type { ExternalSystem } from '../external/external.ts'
import type { Bypasses } from '../bypass/bypass.ts'
import { inScope, type ProcessScope, scopedHost } from '../bypass/process-scope.ts'
import { type Program, programError, type ProgramError, runProgram } from './program.ts'
import { Recording, type RecordedWrite } from './recording.ts'
import type { RunObserver } from './run-event.ts'
import { type RequestFault, SimulatedProcess } from './simulated-process.ts'

/** The state of the world at one moment, from which any number of worlds can start. */
export interface Checkpoint {
  readonly cluster: ClusterSnapshot
  readonly timeMs: number
  readonly externals: ExternalState
}

/** What a world consists of. */
interface WorldOptions {
  readonly program: Program
  /** Programs of others, which suffer no faults. */
  readonly companions: readonly Program[]
  readonly seed: string
  readonly externals: readonly ExternalSystem[]
  readonly from?: Checkpoint | undefined
  /** Decides what happens to a write of the program, before it is sent. */
  readonly faultOf?: (
    write: RecordedWrite,
  ) => Promise<RequestFault | undefined> | RequestFault | undefined
  /** Called with each change of the stored state. */
  readonly onChange?: (change: StoredChange) => void
  /** Whether several replicas of the program may run. */
  readonly isReplicated?: boolean
  /** What the controllers of Kubernetes do not make, because the program does not read it. */
  readonly leaveOut: readonly LeftOut[]
  /** Receives what happens, for a timeline. */
  readonly observe?: RunObserver | undefined
  /** Where the program reaches around its host. */
  readonly bypasses: Bypasses
}

/** The user of the program, with administrator rights: RBAC is the subject of other tests. */
export const programUser = 'operator'
const companionUser = 'companion'

/** An image that no node can pull, for bad values of a spec. */
export const missingImage = 'missing.invalid/image:1'

/** How long a crashed process is down: longer and longer if it keeps ending by itself. */
const restartMs = 2000
const restartMsMax = 300_000

/**
 * A cluster in virtual time and the processes of the program. A world is cheap: it starts from a
 * checkpoint, and not from the beginning.
 */
export class SimWorld implements AsyncDisposable {
  readonly cluster: Cluster
  readonly host: VirtualHost
  readonly recording: Recording
  readonly externals: ExternalWorld
  readonly observe: RunObserver
  /** How far the wall clock of the processes is ahead of that of the cluster. */
  clockAheadMs = 0
  /** Whether lists are answered in another order than usual. */
  reversesLists = false
  readonly #connection: Connection
  readonly #options: WorldOptions
  readonly #processes = new Set<SimulatedProcess>()
  readonly #companions: SimulatedProcess[] = []
  #starts = 0
  /** How often the program has ended by itself. */
  #ends = 0
  #isStopped = true
  #nextRestartMs = restartMs

  private constructor(
    options: WorldOptions,
    parts: Pick<SimWorld, 'cluster' | 'host' | 'recording' | 'externals'> & {
      readonly connection: Connection
    },
  ) {
    this.#options = options
    this.cluster = parts.cluster
    this.host = parts.host
    this.recording = parts.recording
    this.externals = parts.externals
    this.observe = options.observe ?? (() => undefined)
    this.#connection = parts.connection
  }

  static async open(options: WorldOptions): Promise<SimWorld> {
    const { seed, from, externals, onChange, leaveOut } = options
    const host = virtualHost({ seed, startTime: from?.timeMs, trace: () => undefined })
    const recording = new Recording()
    const cluster = await createCluster({
      host,
      users: [programUser, companionUser].map((name) => ({
        name,
        groups: ['system:masters'],
        token: `simulated-${name}`,
      })),
      leaveOut,
      onChange: (change) => {
        recording.changed(change)
        options.observe?.({ is: 'change', timeMs: host.monotonicMs(), change })
        onChange?.(change)
      },
      ...(from === undefined ? {} : { snapshot: from.cluster }),
    })
    cluster.pods.behave(missingImage, { pullError: 'not found' })
    const connect = async (context: string): Promise<Connection> =>
      connectionFromKubeconfig(host, cluster.kubeconfig(), { context })
    const connection = await connect(programUser)
    const outside = new ExternalWorld(externals, { host, state: from?.externals })
    const parts = { cluster, host, recording, externals: outside, connection }
    const world = new SimWorld(options, parts)
    if (options.companions.length > 0) world.#startCompanions(await connect(companionUser))
    return world
  }

  get timeMs(): number {
    return this.host.monotonicMs()
  }

  checkpoint(): Checkpoint {
    const externals = this.externals.state()
    return { cluster: this.cluster.snapshot(), timeMs: this.host.now(), externals }
  }

  /** Starts a process of the program, and again after each crash. */
  start(): void {
    this.#isStopped = false
    this.#startProcess()
  }

  /** Ends all processes without a chance to clean up. */
  stop(): void {
    this.#isStopped = true
    for (const process of this.#processes) process.kill()
    this.#processes.clear()
  }

  /** Lets the next process that crashes start again after another time than usual. */
  restartsAfter(delayMs: number): void {
    this.#nextRestartMs = delayMs
  }

  /** Ends all processes, and starts one again. */
  restart(): void {
    for (const process of [...this.#processes]) process.crash()
  }

  /** Pauses the processes that run now; returns the function that resumes them. */
  pause(): () => void {
    const paused = [...this.#processes]
    for (const process of paused) process.pause()
    return () => {
      for (const process of paused) process.resume()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stop()
    for (const companion of this.#companions) companion.kill()
    await this.cluster.dispose()
    this.host.stop()
  }

  /** They run from the beginning to the end. */
  #startCompanions(connection: Connection): void {
    for (const program of this.#options.companions) {
      const process = new SimulatedProcess({
        host: this.host,
        onRequest: () => ({
          fault: undefined,
          sent: () => undefined,
          answered: () => undefined,
        }),
        external: (request) => this.externals.request(request),
        onCrash: () => undefined,
        clockAheadMs: () => 0,
        reversesLists: () => false,
      })
      this.#companions.push(process)
      const report = ({ text }: ProgramError): void => {
        const error = { text: `a companion: ${text}`, isBug: true, timeMs: this.timeMs }
        if (process.isAlive) this.recording.errors.push(error)
      }
      const scope = this.#scopeOf(process, report)
      const context = { host: scopedHost(scope), connection }
      void inScope(scope, () => runProgram(program, context, { isReplicated: false, report }))
    }
  }

  #startProcess(): void {
    this.#starts += 1
    const number = this.#starts
    const { recording, externals } = this
    const observe = (is: 'started' | 'crashed' | 'ended'): void =>
      this.observe({ is, timeMs: this.timeMs, process: number })
    observe('started')
    const process = new SimulatedProcess({
      host: this.host,
      onRequest: (target, line) => {
        const write = recording.request(target, { process: number, timeMs: this.timeMs, line })
        return {
          fault: write && this.#options.faultOf?.(write),
          sent: () => void (write && recording.sent(write)),
          answered: (status) => {
            if (write === undefined) return
            recording.answered(write, status)
            this.observe({ is: 'answered', timeMs: this.timeMs, write })
          },
        }
      },
      external: (request) => externals.request(request),
      onCrash: () => {
        this.#processes.delete(process)
        observe('crashed')
        this.#restartLater(this.#nextRestartMs)
        this.#nextRestartMs = restartMs
      },
      clockAheadMs: () => this.clockAheadMs,
      reversesLists: () => this.reversesLists,
    })
    this.#processes.add(process)
    const report = (error: ProgramError): void => {
      if (!process.isAlive) return
      recording.errors.push({ ...error, timeMs: this.timeMs })
      this.observe({ is: 'error', timeMs: this.timeMs, text: error.text })
    }
    const scope = this.#scopeOf(process, report)
    const context = { host: scopedHost(scope), connection: this.#connection }
    const { program, isReplicated = false } = this.#options
    const ended = inScope(scope, () => runProgram(program, context, { isReplicated, report }))
    // A process that ends is started again, as a kubelet does.
    void ended.then(() => {
      if (!process.isAlive) return
      process.kill()
      this.#processes.delete(process)
      observe('ended')
      this.#restartLater(Math.min(restartMs * 2 ** this.#ends, restartMsMax))
      this.#ends += 1
    })
  }

  /** The process, for calls that reach around its host. */
  #scopeOf(process: SimulatedProcess, report: (error: ProgramError) => void): ProcessScope {
    const { bypasses, externals } = this.#options
    return {
      host: process.host,
      origins: new Set(externals.map(({ origin }) => origin)),
      bypasses,
      uncaught: (error) => {
        report(programError(error, 'the process'))
        process.crash()
      },
    }
  }

  #restartLater(delayMs: number): void {
    this.host.setTimer(delayMs, () => {
      if (!this.#isStopped) this.#startProcess()
    })
  }
}
