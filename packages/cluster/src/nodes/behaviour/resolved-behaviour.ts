import { type Duration, limitMs } from 'setpoint/host'
import type {
  ContainerBehaviour,
  ContainerExit,
  ContainerRunOf,
  LogLine,
  PodBehaviour,
} from './pod-behaviour.ts'

/** The end of a container run, with its time in milliseconds. */
export interface ResolvedExit extends Omit<ContainerExit, 'after'> {
  readonly afterMs?: number
}

/** A log line with its time in milliseconds: after the start of the container, or since the epoch. */
type ResolvedLogLine =
  | { readonly text: string; readonly afterMs: number }
  | { readonly text: string; readonly atMs: number }

/** A `ContainerBehaviour` with all times in milliseconds. */
export interface ResolvedBehaviour extends Omit<
  ContainerBehaviour,
  'pullTime' | 'startedAfter' | 'readyAfter' | 'unready' | 'exits' | 'terminationTime' | 'logs'
> {
  readonly pullMs?: number
  readonly startedAfterMs?: number
  readonly readyAfterMs?: number
  readonly unready?: readonly { readonly fromMs: number; readonly toMs?: number }[]
  readonly exits?:
    | ResolvedExit
    | readonly ResolvedExit[]
    | 'never'
    | ((run: ContainerRunOf) => ResolvedExit | 'never' | undefined)
  readonly terminationMs?: number
  readonly logs?: readonly ResolvedLogLine[] | ((run: ContainerRunOf) => readonly ResolvedLogLine[])
}

/** A `PodBehaviour` with all times in milliseconds. */
export interface ResolvedPodBehaviour extends ResolvedBehaviour {
  readonly containers?: Readonly<Record<string, ResolvedBehaviour>>
}

/** Converts the durations of a behaviour; an invalid one is refused with the name of its field. */
export function resolvedPodBehaviour({ containers, ...pod }: PodBehaviour): ResolvedPodBehaviour {
  if (containers === undefined) return resolved(pod)
  const entries = Object.entries(containers)
  return {
    ...resolved(pod),
    containers: Object.fromEntries(entries.map(([name, one]) => [name, resolved(one)])),
  }
}

function resolved(behaviour: ContainerBehaviour): ResolvedBehaviour {
  const { pullTime, startedAfter, readyAfter, unready, exits, terminationTime, logs, ...rest } =
    behaviour
  return {
    ...rest,
    ...ifGiven('pullMs', pullTime, 'pullTime'),
    ...ifGiven('startedAfterMs', startedAfter, 'startedAfter'),
    ...ifGiven('readyAfterMs', readyAfter, 'readyAfter'),
    ...ifGiven('terminationMs', terminationTime, 'terminationTime'),
    ...(unready === undefined ? {} : { unready: unready.map(resolvedWindow) }),
    ...(exits === undefined ? {} : { exits: resolvedExits(exits) }),
    ...(logs === undefined ? {} : { logs: resolvedLogs(logs) }),
  }
}

function ifGiven<Name extends string>(
  name: Name,
  duration: Duration | undefined,
  option: string,
): { readonly [N in Name]?: number } {
  if (duration === undefined) return {}
  return { [name]: limitMs(duration, option) } as { readonly [N in Name]?: number }
}

function resolvedWindow({
  from,
  to,
}: NonNullable<ContainerBehaviour['unready']>[number]): NonNullable<
  ResolvedBehaviour['unready']
>[number] {
  return { fromMs: limitMs(from, 'unready.from'), ...ifGiven('toMs', to, 'unready.to') }
}

function resolvedExits(
  exits: NonNullable<ContainerBehaviour['exits']>,
): NonNullable<ResolvedBehaviour['exits']> {
  if (exits === 'never') return exits
  if (typeof exits === 'function') {
    return (run) => {
      const exit = exits(run)
      return exit === undefined || exit === 'never' ? exit : resolvedExit(exit)
    }
  }
  return isList(exits) ? exits.map(resolvedExit) : resolvedExit(exits)
}

function resolvedExit({ after, ...exit }: ContainerExit): ResolvedExit {
  return { ...exit, ...ifGiven('afterMs', after, 'exits.after') }
}

function resolvedLogs(
  logs: NonNullable<ContainerBehaviour['logs']>,
): NonNullable<ResolvedBehaviour['logs']> {
  return typeof logs === 'function' ? (run) => logs(run).map(resolvedLine) : logs.map(resolvedLine)
}

function resolvedLine(line: LogLine): ResolvedLogLine {
  if (typeof line === 'string') return { text: line, afterMs: 0 }
  const { text } = line
  return 'at' in line
    ? { text, atMs: line.at }
    : { text, afterMs: limitMs(line.after, 'logs.after') }
}

function isList(
  exits: ContainerExit | readonly ContainerExit[],
): exits is readonly ContainerExit[] {
  return Array.isArray(exits)
}
