import type { ContainerStatus } from 'setpoint/kinds'
import type { Frozen } from 'setpoint'
import type { BehaviourOf, ContainerRole, PodView } from './behaviour/index.ts'
import { startOf } from './pod-lifecycle/index.ts'

/** Selects a part of a log, as the API request does. */
export interface LogSelection {
  readonly container: string
  /** The previous run of the container. */
  readonly previous?: boolean
  /** Only lines since this time. */
  readonly sinceMs?: number
  readonly tailLines?: number
  readonly limitBytes?: number
  readonly timestamps?: boolean
}

interface WrittenLine {
  readonly atMs: number
  readonly text: string
}

/** The log of a run of a container until now. */
interface LogSoFar {
  readonly lines: readonly WrittenLine[]
  /** When the next line is written; `undefined` if there is none. */
  readonly nextMs: number | undefined
  /** Whether the container still runs. */
  readonly isOpen: boolean
  /** The number of the run: 0 is the first. */
  readonly restart: number
}

/** Why there is no log, with the message of a kubelet. */
interface NoLog {
  readonly problem: string
}

/**
 * The lines that a container has written until now. Each line of a behaviour is written once, at
 * its time.
 */
export function simulatedPodLog(
  pod: PodView,
  selection: LogSelection,
  at: { readonly behaviourOf: BehaviourOf; readonly nowMs: number },
): LogSoFar | NoLog {
  const found = containerOf(pod, selection.container)
  const run = found && runOf(found.status, selection.previous ?? false)
  const { container } = selection
  const who = `container ${JSON.stringify(container)} in pod ${JSON.stringify(pod.metadata.name)}`
  if (found === undefined) return { problem: `${who} is not available` }
  if (run === undefined) {
    const { waiting } = found.status?.state ?? {}
    return {
      problem:
        selection.previous === true
          ? `previous terminated ${who} not found`
          : `${who} is waiting to start: ${waiting?.reason ?? 'ContainerCreating'}`,
    }
  }
  const { logs = [] } = at.behaviourOf(found.spec, found.role)
  const given = typeof logs === 'function' ? logs({ pod, container, restart: run.restart }) : logs
  const lines = given
    .map((line) => ('atMs' in line ? line : { ...line, atMs: run.startedMs + line.afterMs }))
    .sort((a, b) => a.atMs - b.atMs)
  const written = lines.filter(({ atMs }) => atMs <= Math.min(at.nowMs, run.endedMs))
  const next = lines[written.length]
  const isOpen = run.endedMs === Infinity
  return {
    lines: selected(written, selection),
    isOpen,
    restart: run.restart,
    nextMs: isOpen && next !== undefined ? next.atMs : undefined,
  }
}

/** Formats a line for the response. */
export function lineText({ atMs, text }: WrittenLine, withTime: boolean): string {
  const time = new Date(atMs).toISOString().replace(/\.(\d{3})Z$/, '.$1000000Z')
  return withTime ? `${time} ${text}\n` : `${text}\n`
}

function selected(lines: readonly WrittenLine[], selection: LogSelection): readonly WrittenLine[] {
  const { sinceMs = -Infinity, tailLines = Infinity } = selection
  const recent = lines.filter(({ atMs }) => atMs >= sinceMs)
  return tailLines >= recent.length ? recent : recent.slice(recent.length - tailLines)
}

interface FoundContainer {
  readonly spec: { readonly name: string; readonly image?: string | undefined }
  readonly role: ContainerRole
  readonly status: Frozen<ContainerStatus> | undefined
}

/** A container of a pod by its name, with its role and its status. */
export function containerOf({ spec, status }: PodView, name: string): FoundContainer | undefined {
  const inits = spec.initContainers?.map((container) => {
    const role = container.restartPolicy === 'Always' ? 'sidecar' : 'init'
    return [container, role, status?.initContainerStatuses] as const
  })
  const all = [
    ...spec.containers.map((one) => [one, 'regular', status?.containerStatuses] as const),
    ...(inits ?? []),
    ...(spec.ephemeralContainers ?? []).map(
      (one) => [one, 'ephemeral', status?.ephemeralContainerStatuses] as const,
    ),
  ]
  const found = all.find(([container]) => container.name === name)
  if (found === undefined) return undefined
  const [container, role, statuses] = found
  return { spec: container, role, status: statuses?.find((one) => one.name === name) }
}

interface ContainerRun {
  readonly startedMs: number
  readonly endedMs: number
  readonly restart: number
}

function runOf(status: FoundContainer['status'], isPrevious: boolean): ContainerRun | undefined {
  if (status === undefined) return undefined
  const { state = {}, lastState = {}, restartCount } = status
  if (!isPrevious && state.running !== undefined) {
    const startedMs = startOf(status as ContainerStatus)
    return { startedMs, endedMs: Infinity, restart: restartCount }
  }
  // A container that waits for its next run shows the log of the last run.
  const isWaiting = state.terminated === undefined && state.running === undefined
  const ended = isPrevious || isWaiting ? lastState.terminated : state.terminated
  if (ended === undefined) return undefined
  const startedMs = startOf({ containerID: ended.containerID, state: { running: ended } } as never)
  const isCurrent = !isPrevious || isWaiting
  return {
    startedMs,
    endedMs: Math.max(Date.parse(ended.finishedAt ?? '') + 999, startedMs),
    restart: isCurrent ? restartCount : restartCount - 1,
  }
}
