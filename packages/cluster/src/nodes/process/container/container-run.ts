import type { Frozen } from 'setpoint'
import type { Host, KillSignal, RunningCommand, Sockets, Timer } from 'setpoint/host'
import type { Container } from 'setpoint/kinds'
import { defaultGraceSeconds } from '../../../object/index.ts'
import type { ContainerRole, ExecResult, PodView, ResolvedExit } from '../../behaviour/index.ts'
import { failedProbeNote, type PodEvent } from '../../pod-lifecycle/index.ts'
import { collectOutput, drainOutputs } from './command-output.ts'
import type { ContainerPlan } from './container-plan.ts'
import { type HandledContainer, runHandler } from './handler-action.ts'
import { LineLog } from './line-log.ts'
import { rewritePaths } from './mount-paths.ts'
import { ContainerProbes } from './container-probes.ts'

interface RunOptions {
  readonly host: Host
  readonly sockets: Sockets
  readonly pod: PodView
  readonly podIP: string
  readonly spec: Frozen<Container>
  readonly role: ContainerRole
  readonly plan: ContainerPlan
  /** Called when the state of the run changed. */
  readonly changed: () => void
  readonly record: (event: Pick<PodEvent, 'type' | 'reason' | 'message'>) => void
}

/** How a run ended. */
interface RunEnd extends Omit<ResolvedExit, 'afterMs'> {
  readonly atMs: number
}

const messageBytesMax = 4096
const fallback = { lines: 80, bytes: 2048 }

/** One run of a container: a process, its log, its probes and its end. */
export class ContainerRun implements HandledContainer {
  readonly log: LineLog
  readonly #options: RunOptions
  readonly #probes: ContainerProbes
  readonly #over = new AbortController()
  readonly #execs = new Set<RunningCommand>()
  #command: RunningCommand | undefined
  #starting: Promise<void> | undefined
  #killTimer: Timer | undefined
  #isStopping = false
  #end: RunEnd | undefined

  constructor(options: RunOptions) {
    this.#options = options
    this.log = new LineLog(options.host)
    this.#probes = new ContainerProbes({
      container: this,
      signal: this.#over.signal,
      changed: options.changed,
      unhealthy: (message) => options.record({ type: 'Warning', reason: 'Unhealthy', message }),
      failed: (probe, graceSeconds) => this.#failed(probe, graceSeconds),
    })
  }

  get host(): Host {
    return this.#options.host
  }

  get sockets(): Sockets {
    return this.#options.sockets
  }

  get podIP(): string {
    return this.#options.podIP
  }

  get spec(): Frozen<Container> {
    return this.#options.spec
  }

  /** `undefined` while it runs. */
  get end(): RunEnd | undefined {
    return this.#end
  }

  get isStarted(): boolean {
    return this.#probes.isStarted
  }

  get isReady(): boolean {
    return this.#probes.isReady
  }

  /** Starts the process. A process that cannot be started counts as ended immediately. */
  start(): Promise<void> {
    this.#starting ??= this.#start()
    return this.#starting
  }

  async #start(): Promise<void> {
    const { host, plan, record } = this.#options
    const [program = '', ...args] = plan.line
    try {
      await host.makeDirectory(plan.directory)
      if (plan.kubeconfig !== undefined) {
        await host.writeFile(`${plan.home}/kubeconfig`, plan.kubeconfig, { mode: 0o600 })
      }
      const { env, directory } = plan
      this.#command = await host.startCommand(program, { args, env, directory })
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error)
      const isMissing = text.includes('ENOENT')
      const why = isMissing ? `exec: "${program}": executable file not found in $PATH` : text
      record({ type: 'Warning', reason: 'Failed', message: `Error: ${why}` })
      this.#finish({ code: 128, reason: 'StartError', message: why, atMs: host.now() })
      return
    }
    this.#command.closeInput()
    void this.#live(this.#command)
    void this.#begin()
  }

  /** Runs the postStart hook, then the probes. */
  async #begin(): Promise<void> {
    const { postStart } = this.spec.lifecycle ?? {}
    if (postStart !== undefined) {
      const { isOk } = await runHandler(this, postStart, Infinity)
      if (this.#end !== undefined) return
      if (!isOk) {
        const reason = 'FailedPostStartHook'
        this.#options.record({ type: 'Warning', reason, message: 'PostStartHook failed' })
        this.#options.record({ type: 'Normal', reason: 'Killing', message: reason })
        this.#stopWithin(this.#graceSeconds)
        return
      }
    }
    this.#probes.begin()
  }

  async #live(command: RunningCommand): Promise<void> {
    const { host } = this.#options
    const outputs = [this.log.take(command.stdout), this.log.take(command.stderr)]
    const { exitCode: code } = await command.ended
    this.#over.abort()
    for (const other of this.#execs) other.kill('SIGKILL')
    await drainOutputs(host, outputs)
    const message = await this.#terminationMessage(code)
    const atMs = Math.max(host.now(), this.log.lastMs)
    this.#finish({ code, atMs, ...(message === '' ? {} : { message }) })
  }

  #finish(end: RunEnd): void {
    this.#end = end
    this.#killTimer?.cancel()
    this.#options.changed()
  }

  async #terminationMessage(code: number): Promise<string> {
    const { host, plan, spec } = this.#options
    const file = await host.readFile(plan.terminationMessageFile).catch(() => new Uint8Array())
    const message = new TextDecoder().decode(file.slice(0, messageBytesMax))
    const isAsked = spec.terminationMessagePolicy === 'FallbackToLogsOnError'
    return message === '' && isAsked && code !== 0
      ? this.log.tail(fallback.lines, fallback.bytes)
      : message
  }

  get #graceSeconds(): number {
    return this.#options.pod.spec.terminationGracePeriodSeconds ?? defaultGraceSeconds
  }

  #failed(probe: 'liveness' | 'startup', graceSeconds: number | undefined): void {
    const message = failedProbeNote(this.spec.name, this.#options.role, probe)
    this.#options.record({ type: 'Normal', reason: 'Killing', message })
    this.#stopWithin(graceSeconds ?? this.#graceSeconds)
  }

  #stopWithin(seconds: number): void {
    this.stop(this.host.now() + seconds * 1000)
    this.#options.changed()
  }

  /**
   * Stops the process, and kills it if it has not ended in time. A later call can change the time.
   */
  stop(killMs: number): void {
    if (this.#end !== undefined) return
    this.#killTimer?.cancel()
    this.#killTimer = this.host.setTimer(killMs - this.host.now(), () => {
      this.#command?.kill('SIGKILL')
    })
    if (this.#isStopping) return
    this.#isStopping = true
    void this.#stopGracefully(killMs)
  }

  async #stopGracefully(killMs: number): Promise<void> {
    await this.#starting
    const { preStop, stopSignal } = this.spec.lifecycle ?? {}
    const leftMs = killMs - this.host.now()
    if (preStop !== undefined && leftMs > 0 && this.#end === undefined) {
      const { isOk } = await runHandler(this, preStop, leftMs)
      if (!isOk && !this.#over.signal.aborted) {
        const message = 'PreStopHook failed'
        this.#options.record({ type: 'Warning', reason: 'FailedPreStopHook', message })
      }
    }
    const supported: readonly string[] = ['SIGTERM', 'SIGINT', 'SIGQUIT', 'SIGHUP', 'SIGKILL']
    const isSupported = stopSignal !== undefined && supported.includes(stopSignal)
    this.#command?.kill(isSupported ? (stopSignal as KillSignal) : 'SIGTERM')
  }

  /** Kills the process; resolves when it has ended. */
  async kill(): Promise<void> {
    await this.#starting
    this.#killTimer?.cancel()
    this.#command?.kill('SIGKILL')
    await this.#command?.ended
  }

  /**
   * Starts another command in the environment of the container. It is killed when the container
   * ends.
   */
  async open(command: readonly string[]): Promise<RunningCommand> {
    const { host, plan } = this.#options
    const [program = '', ...args] = command.map((text) => rewritePaths(text, plan.mounts))
    const { env, directory } = plan
    const child = await host.startCommand(program, { args, env, directory })
    this.#execs.add(child)
    void child.ended.then(() => this.#execs.delete(child))
    if (this.#end !== undefined) child.kill('SIGKILL')
    return child
  }

  async exec(command: readonly string[], timeoutMs: number): Promise<ExecResult | undefined> {
    const late = new AbortController()
    const child = await this.open(command)
    const timer = this.host.setTimer(timeoutMs, () => {
      late.abort()
      child.kill('SIGKILL')
    })
    child.closeInput()
    const result = await collectOutput(this.host, child)
    timer.cancel()
    return late.signal.aborted ? undefined : result
  }
}
