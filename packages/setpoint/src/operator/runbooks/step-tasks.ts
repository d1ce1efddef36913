import type { Key } from '../../cache/index.ts'
import { type Host, onAbort } from '../../host/index.ts'
import type { Observation } from '../../runbooks/index.ts'

/** The function of a step that this process has called. */
interface StepTask {
  readonly controller: AbortController
  readonly ended: Promise<void>
  observed: Observation
}

interface ObjectTasks {
  readonly uid: string
  readonly tasks: Map<string, StepTask>
}

/** How long stopping waits for functions that ignore their signal. */
const stopTimeoutMs = 10_000

/**
 * The functions of steps that run in this process. They run outside of reconciles, so that the object
 * is still kept in its desired state. A process that continues the work of another one has none of
 * its tasks.
 */
export class StepTasks {
  readonly #host: Host
  readonly #objects = new Map<Key, ObjectTasks>()
  readonly #abandoned = new AbortController()
  #isStopped = false

  constructor(host: Host) {
    this.#host = host
  }

  /** The state of an attempt, as far as this process knows. */
  observe(key: Key, uid: string, attempt: string): Observation {
    return this.#tasksOf(key, uid).get(attempt)?.observed ?? { is: 'idle' }
  }

  /** Calls the function of an attempt. `onEnd` is called when it has ended. */
  begin(
    at: { readonly key: Key; readonly uid: string; readonly attempt: string },
    run: (signal: AbortSignal) => Promise<unknown>,
    onEnd: () => void,
  ): void {
    if (this.#isStopped) return
    const controller = new AbortController()
    const work = async (): Promise<void> => {
      try {
        task.observed = { is: 'done', result: await run(controller.signal) }
      } catch (error) {
        task.observed = { is: 'failed', error: error ?? new Error('the step threw undefined') }
      }
      if (!controller.signal.aborted) onEnd()
    }
    const task: StepTask = {
      controller,
      observed: { is: 'working' },
      ended: Promise.resolve().then(work),
    }
    this.#tasksOf(at.key, at.uid).set(at.attempt, task)
  }

  /** Records that an attempt failed before its work could begin. */
  fail(
    at: { readonly key: Key; readonly uid: string; readonly attempt: string },
    error: unknown,
  ): void {
    const ended = Promise.resolve()
    const controller = new AbortController()
    const task: StepTask = { controller, ended, observed: { is: 'failed', error } }
    this.#tasksOf(at.key, at.uid).set(at.attempt, task)
  }

  /** Aborts and forgets all attempts of an object but these. */
  keepOnly(key: Key, uid: string, attempts: ReadonlySet<string>): void {
    for (const [attempt, { controller }] of this.#tasksOf(key, uid)) {
      if (attempts.has(attempt)) continue
      this.#tasksOf(key, uid).delete(attempt)
      controller.abort()
    }
  }

  /** Aborts and forgets the attempts of an object that is deleted, or no longer served. */
  end(key: Key): void {
    for (const { controller } of this.#objects.get(key)?.tasks.values() ?? []) controller.abort()
    this.#objects.delete(key)
  }

  /** Aborts all attempts, and waits for them for a short time. */
  async stop(): Promise<void> {
    this.#isStopped = true
    const tasks = [...this.#objects.values()].flatMap((object) => [...object.tasks.values()])
    for (const { controller } of tasks) controller.abort()
    const limit = new AbortController()
    const stopListening = onAbort(this.#abandoned.signal, () => limit.abort())
    const late = this.#host.sleep(stopTimeoutMs, limit.signal).catch(() => undefined)
    await Promise.race([Promise.all(tasks.map(async ({ ended }) => ended)), late])
    stopListening()
    limit.abort()
  }

  /** Stops waiting: the process ends now. */
  abandon(): void {
    this.#abandoned.abort()
  }

  /** An object that was recreated under the same name has none of the tasks of the former one. */
  #tasksOf(key: Key, uid: string): Map<string, StepTask> {
    const known = this.#objects.get(key)
    if (known?.uid === uid) return known.tasks
    this.end(key)
    const tasks = new Map<string, StepTask>()
    this.#objects.set(key, { uid, tasks })
    return tasks
  }
}
