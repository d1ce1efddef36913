import { isSetpointError, type Frozen } from 'setpoint'
import type { Host, Sockets } from 'setpoint/host'
import type { Container, ContainerStatus } from 'setpoint/kinds'
import { KeySource } from '../../controllers/key-source.ts'
import type { BehaviourOf, ResolvedBehaviour, ContainerRole, PodView } from '../behaviour/index.ts'
import { containerOf } from '../simulated-pod-log.ts'
import { fieldPathOf, type PodEvent, type PodState, startOf } from '../pod-lifecycle/index.ts'
import { mountFailure } from '../missing-sources.ts'
import { type ContainerPlan, containerPlan } from './container/container-plan.ts'
import { ContainerRun } from './container/container-run.ts'
import type { PodFacts } from './field-values.ts'
import { mountPathOf } from './mount-path-of.ts'
import { MissingSource, type PodSources } from './pod-sources.ts'
import type { ProcessDirectories } from './process-directories.ts'
import { imageFor, type ProcessImages } from './process-options.ts'
import { volumeContent } from './volume-files.ts'

interface ProcessPodsOptions {
  readonly host: Host
  readonly sockets: Sockets
  readonly images: ProcessImages
  readonly directories: ProcessDirectories
}

/** Why a container cannot be started. */
type Problem = Pick<ResolvedBehaviour, 'pullError' | 'createError'>

/** The state of a pod that is not stored. */
interface PodRecord {
  plans: ReadonlyMap<string, ContainerPlan | Problem>
  /** The directories of its volumes, by name. A mounted volume stays mounted. */
  readonly volumes: Map<string, string>
  /** Its tokens by audience. */
  readonly tokens: Map<string | undefined, string>
  /** The last two runs of each container, by the number of restarts. */
  readonly runs: Map<string, Map<number, ContainerRun>>
  readonly events: PodEvent[]
  mountProblem: string
}

/**
 * The processes of all pods. It applies the computed state of a pod to its processes, and reports
 * the state of the processes as behaviours, so that `pod-lifecycle` works as for simulated pods.
 */
export class ProcessPods {
  readonly #options: ProcessPodsOptions
  readonly #records = new Map<string, PodRecord>()
  /** The keys of pods whose processes changed. */
  readonly changed = new KeySource()

  constructor(options: ProcessPodsOptions) {
    this.#options = options
  }

  /** The state of a pod's processes as behaviours. */
  of(pod: PodView): BehaviourOf {
    const record = this.#records.get(pod.metadata.uid)
    return ({ name }) => {
      const runs = record?.runs.get(name)
      const latest = [...(runs?.values() ?? [])].at(-1)
      const isRunning = latest !== undefined && latest.end === undefined
      const spec = containerOf(pod, name)?.spec as Frozen<Container> | undefined
      const plan = record?.plans.get(name)
      const problem = plan !== undefined && 'line' in plan ? {} : plan
      return {
        ...problem,
        exits: ({ restart }) => this.#exitOf(pod, name, restart),
        startedAfterMs: (isRunning ? latest.isStarted : startsImmediately(spec)) ? 0 : Infinity,
        neverReady: !(isRunning ? latest.isReady : spec?.readinessProbe === undefined),
        // The process decides when it ends; until then it may use the whole grace period.
        terminationMs: Infinity,
        logs: ({ restart }) => runs?.get(restart)?.log.read() ?? [],
      }
    }
  }

  /**
   * How a run ended that the stored pod shows as running. A run that is only about to start has not
   * ended.
   */
  #exitOf(pod: PodView, name: string, restart: number): ReturnType<ExitFunction> {
    const { status } = containerOf(pod, name) ?? {}
    if (status?.state?.running === undefined || status.restartCount !== restart) return 'never'
    const startMs = startOf(status as ContainerStatus)
    const run = this.#records.get(pod.metadata.uid)?.runs.get(name)?.get(restart)
    if (run === undefined) return { ...lost, afterMs: this.#options.host.now() - startMs }
    if (run.end === undefined) return 'never'
    const { atMs, ...end } = run.end
    return { ...end, afterMs: atMs - startMs }
  }

  /**
   * Mounts the volumes of a pod and computes how its containers are run. Returns whether all
   * volumes are mounted.
   */
  async prepare(facts: PodFacts, given: PodSources): Promise<boolean> {
    const { uid } = facts.pod.metadata
    const record = this.#recordOf(uid)
    const { volumes, tokens } = record
    const token = (audience: string | undefined): string => {
      const known = tokens.get(audience) ?? given.token(audience)
      tokens.set(audience, known)
      return known
    }
    const sources = { ...given, token }
    let problem = ''
    for (const volume of facts.pod.spec.volumes ?? []) {
      try {
        const content = volumeContent(facts, volume, sources)
        const { name } = volume
        const place = { name, mountPath: mountPathOf(facts.pod, name) }
        volumes.set(name, await this.#options.directories.volume(uid, place, content))
      } catch (error) {
        if (!volumes.has(volume.name)) problem = mountFailure(volume.name, why(error))
      }
    }
    if (problem !== '' && problem !== record.mountProblem) {
      record.events.push({ type: 'Warning', reason: 'FailedMount', message: problem })
    }
    record.mountProblem = problem
    const { containers, initContainers = [], ephemeralContainers = [] } = facts.pod.spec
    record.plans = new Map(
      [...initContainers, ...containers, ...ephemeralContainers].map((container) => [
        container.name,
        this.#planOf({ facts, container, sources, volumes }),
      ]),
    )
    return problem === ''
  }

  #planOf(parts: {
    readonly facts: PodFacts
    readonly container: Frozen<Container>
    readonly sources: PodSources
    readonly volumes: ReadonlyMap<string, string>
  }): ContainerPlan | Problem {
    const { images, directories, host } = this.#options
    const { container, facts } = parts
    const image = imageFor(images, container, facts.pod)
    if (image === undefined) {
      return { pullError: `no entry of nodes.process.images matches this image` }
    }
    const { startupProbe, readinessProbe, livenessProbe } = container
    if ([startupProbe, readinessProbe, livenessProbe].some((probe) => probe?.grpc !== undefined)) {
      return { createError: 'process nodes do not support grpc probes' }
    }
    const home = directories.containerDirectory(facts.pod.metadata.uid, container.name)
    try {
      return containerPlan({ ...parts, image, home, path: host.env('PATH') ?? '/usr/bin:/bin' })
    } catch (error) {
      return { createError: why(error) }
    }
  }

  /** Starts the containers that run in a state, and stops those that have to stop. */
  async apply({ pod, podIP }: PodFacts, { status, stopping }: PodState): Promise<void> {
    const record = this.#recordOf(pod.metadata.uid)
    const statuses = [
      ...(status.initContainerStatuses ?? []),
      ...(status.containerStatuses ?? []),
      ...(status.ephemeralContainerStatuses ?? []),
    ]
    for (const { name, state, restartCount } of statuses) {
      if (state?.running === undefined) continue
      const runs = record.runs.get(name) ?? new Map<number, ContainerRun>()
      if (runs.has(restartCount)) continue
      const plan = record.plans.get(name)
      const found = containerOf(pod, name)
      if (plan === undefined || !('line' in plan) || found === undefined) continue
      await this.#options.directories.freshContainer(pod.metadata.uid, name)
      const spec = found.spec as Frozen<Container>
      const run = this.#newRun({ pod, podIP, spec, role: found.role, plan })
      runs.set(restartCount, run)
      runs.delete(restartCount - 2)
      record.runs.set(name, runs)
      await run.start()
    }
    for (const { container, killMs } of stopping) {
      for (const run of record.runs.get(container)?.values() ?? []) run.stop(killMs)
    }
  }

  #newRun(about: {
    readonly pod: PodView
    readonly podIP: string
    readonly spec: Frozen<Container>
    readonly role: ContainerRole
    readonly plan: ContainerPlan
  }): ContainerRun {
    const { host, sockets } = this.#options
    const { metadata } = about.pod
    const { events } = this.#recordOf(metadata.uid)
    const fieldPath = fieldPathOf(about)
    return new ContainerRun({
      ...about,
      host,
      sockets,
      changed: () => this.changed.add(`${metadata.namespace}/${metadata.name}`),
      record: (event) => void events.push({ ...event, fieldPath }),
    })
  }

  /** The process of a container, if it runs. */
  runningOf({ metadata }: PodView, container: string): ContainerRun | undefined {
    const runs = this.#records.get(metadata.uid)?.runs.get(container)?.values() ?? []
    return [...runs].find(({ end }) => end === undefined)
  }

  /** Takes the Events of a pod that have not been recorded. */
  takeEvents({ metadata }: PodView): PodEvent[] {
    return this.#records.get(metadata.uid)?.events.splice(0) ?? []
  }

  /** Kills the remaining processes of a finished pod. */
  async end({ metadata }: PodView): Promise<void> {
    const runs = [...(this.#records.get(metadata.uid)?.runs.values() ?? [])]
    await Promise.all(runs.flatMap((byRestart) => [...byRestart.values()].map((run) => run.kill())))
  }

  /** Kills the processes of a pod and removes its directory. */
  async remove(pod: PodView): Promise<void> {
    await this.end(pod)
    this.#records.delete(pod.metadata.uid)
    await this.#options.directories.removePod(pod.metadata.uid)
  }

  /** Kills all processes. */
  async close(): Promise<void> {
    const runs = [...this.#records.values()].flatMap((record) =>
      [...record.runs.values()].flatMap((byRestart) => [...byRestart.values()]),
    )
    await Promise.all(runs.map((run) => run.kill()))
  }

  #recordOf(uid: string): PodRecord {
    const known = this.#records.get(uid)
    if (known !== undefined) return known
    const record: PodRecord = {
      plans: new Map(),
      volumes: new Map(),
      tokens: new Map(),
      runs: new Map(),
      events: [],
      mountProblem: '',
    }
    this.#records.set(uid, record)
    return record
  }
}

/** Whether a container counts as started as soon as it runs. */
function startsImmediately(spec: Frozen<Container> | undefined): boolean {
  return spec?.startupProbe === undefined && spec?.lifecycle?.postStart === undefined
}

type ExitFunction = Extract<NonNullable<ResolvedBehaviour['exits']>, (...args: never) => unknown>

/** The end of a container whose process is unknown, for example after a restart. */
const lost = {
  code: 137,
  reason: 'ContainerStatusUnknown',
  message: 'The container could not be located when the pod was terminated',
}

/** The message of a missing source. Any other error is a bug and is thrown. */
function why(error: unknown): string {
  if (error instanceof MissingSource || isSetpointError(error)) return error.message
  throw error
}
