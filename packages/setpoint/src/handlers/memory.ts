/**
 * The handler memory: the state of an object that its handlers have handled, kept between
 * reconciles and restarts. A state is stored once, with the handlers that still have to run for it.
 * A handler that is not listed has handled the last state: no handler is called twice for a change,
 * and none misses a change while others fail.
 */
import { hasFields, jsonEquals } from '../schema/json-value.ts'
import { cutEssence, type Essence, isSameEssence, type Snapshot } from './essence.ts'
import type { ChangeHandler } from './declare/handler-declaration.ts'
import { matchesChange } from './match.ts'

/** The progress of a handler that has not succeeded yet. */
export interface Progress {
  /** The number of attempts. */
  readonly attempts: number
  /** How many attempts threw a RetryLaterError, if any. */
  readonly delays?: number
  /** The next attempt is not before this time, as epoch milliseconds. */
  readonly nextMs?: number
  /** The error of the last attempt. */
  readonly failure?: string
  /** The last state it handled, if that differs from the one the others handled. */
  readonly from?: Snapshot
}

/** The handler memory of an object. */
export interface Memory {
  /**
   * The uid of the object: a copy of an object has the same annotation, and its handlers have not
   * run.
   */
  readonly uid?: string
  /** The state that was handled; for a new object the first observed one. */
  readonly handled: Snapshot
  /** The create handlers are not done yet. */
  readonly isCreating?: true
  /** The object is terminating: the progress belongs to its cleanups. */
  readonly isDeleting?: true
  /** The last observed state, if it differs from the handled one. */
  readonly target?: Snapshot
  /** The handlers that still have to run. */
  readonly progress?: Readonly<Record<string, Progress>> | undefined
  /** The errors of handlers that gave up, until the part of the object they depend on changes. */
  readonly failures?: Readonly<Record<string, string>> | undefined
}

/** An observed state of an object. */
interface Observation {
  readonly essence: Essence
  /** The create and update handlers. */
  readonly handlers: readonly ChangeHandler[]
  /** Whether the filters of a handler match this object. */
  readonly matches: (handler: ChangeHandler) => boolean
  /** The result of a handler's filter; a filter that throws counts as false. */
  readonly accepts: (handler: ChangeHandler, filter: () => boolean) => boolean
}

/** The memory after observing a state; `undefined` if no handler matches the object. */
export function advanceMemory(
  memory: Memory | undefined,
  observation: Observation,
): Memory | undefined {
  if (memory === undefined) return initialMemory(observation)
  const { essence, handlers } = observation
  const last = memory.target ?? memory.handled
  if (isSameEssence(last, essence)) return memory
  const progress: Record<string, Progress> = {}
  const failures: Record<string, string> = {}
  for (const handler of handlers) {
    if (!observation.matches(handler)) continue
    const { id, on } = handler
    const known = memory.progress?.[id]
    const failure = memory.failures?.[id]
    const isAffected = observation.accepts(handler, () => matchesChange(handler, last, essence))
    if (known !== undefined) {
      // The change may fix the error: retry without a delay.
      const { from } = known
      const restarted = { attempts: 0, ...(from === undefined ? {} : { from }) }
      progress[id] = isAffected ? restarted : known
    } else if (isAffected && on === 'update' && memory.isCreating === undefined) {
      const from = memory.target === undefined ? {} : { from: memory.target }
      progress[id] = { attempts: 0, ...from }
    } else if (failure !== undefined && hasSameCause(handler, last, essence)) {
      failures[id] = failure
    }
  }
  const hasFailures = Object.keys(failures).length > 0
  return { ...memory, target: essence, progress, failures: hasFailures ? failures : undefined }
}

/**
 * Whether the error of a handler that gave up may persist: its field is unchanged; for a create
 * handler everything except the metadata.
 */
function hasSameCause(handler: ChangeHandler, last: Snapshot, essence: Essence): boolean {
  if (handler.on === 'update') return !matchesChange({ ...handler, options: {} }, last, essence)
  return (
    typeof last === 'object' && jsonEquals({ ...last, metadata: {} }, { ...essence, metadata: {} })
  )
}

function initialMemory({ essence, handlers, matches, accepts }: Observation): Memory | undefined {
  const matching = handlers.filter(matches)
  if (matching.length === 0) return undefined
  const begun = matching.filter(
    (handler) =>
      handler.on === 'create' && accepts(handler, () => matchesChange(handler, undefined, essence)),
  )
  return { handled: essence, isCreating: true, progress: newProgress(begun) }
}

/**
 * The memory of a terminating object: its cleanups that have not succeeded. A change of the object
 * retries them without a delay.
 */
export function terminatingMemory(
  memory: Memory | undefined,
  observation: Omit<Observation, 'accepts'>,
): Memory {
  const handled = cutEssence(observation.essence, [])
  const isDeleting = memory?.isDeleting === true
  if (isDeleting && memory.handled === handled) return memory
  const isPending = isDeleting
    ? ({ id }: ChangeHandler) => memory.progress?.[id] !== undefined
    : observation.matches
  return {
    handled,
    isDeleting: true,
    progress: newProgress(observation.handlers.filter(isPending)),
  }
}

function newProgress(handlers: readonly ChangeHandler[]): Record<string, Progress> {
  return Object.fromEntries(handlers.map(({ id }) => [id, { attempts: 0 }]))
}

/**
 * The memory without finished progress: when no handler is left, only the handled state remains.
 */
export function settleMemory(memory: Memory): Memory {
  const { isCreating, target, progress: _, ...rest } = memory
  if (!isFinished(memory)) return memory
  // A change during the creation is an update after it.
  return { ...rest, handled: isCreating === true ? rest.handled : (target ?? rest.handled) }
}

/** Whether no handler is left. */
export function isFinished({ progress = {} }: Memory): boolean {
  return Object.keys(progress).length === 0
}

/** The last state that a pending handler has handled. */
export function lastHandledState(memory: Memory, { on, id }: ChangeHandler): Snapshot | undefined {
  return on === 'update' ? (memory.progress?.[id]?.from ?? memory.handled) : undefined
}

/** The maximum size of the annotation: all annotations of an object together may have 256 KiB. */
const textBytesMax = 100_000

/**
 * The memory as text. States that are too large, and those of Secrets, become hashes of the state
 * and of the watched fields: `kubectl describe` shows annotations, and hides the data of Secrets.
 */
export function writtenMemory(
  memory: Memory,
  handlers: readonly ChangeHandler[],
  isSecret = false,
): { readonly text: string; readonly isTooLarge: boolean } {
  const text = JSON.stringify(memory)
  const isTooLarge = new TextEncoder().encode(text).length > textBytesMax
  if (!isSecret && !isTooLarge) return { text, isTooLarge }
  const paths = handlers.map(({ path }) => path).filter(({ length }) => length > 0)
  const cut = (snapshot: Snapshot): string => cutEssence(snapshot, paths)
  const progress = Object.entries(memory.progress ?? {}).map(([id, each]) => [
    id,
    each.from === undefined ? each : { ...each, from: cut(each.from) },
  ])
  const short = {
    ...memory,
    handled: cut(memory.handled),
    ...(memory.target === undefined ? {} : { target: cut(memory.target) }),
    ...(progress.length === 0 ? {} : { progress: Object.fromEntries(progress) as object }),
  }
  return { text: JSON.stringify(short), isTooLarge }
}

/** Parses a memory; `undefined` when the text was not written by this code. */
export function readMemory(text: string | undefined): Memory | undefined {
  try {
    const memory = JSON.parse(text ?? '') as unknown
    return isMemory(memory) ? (memory as Memory) : undefined
  } catch {
    return undefined
  }
}

function isMemory(value: unknown): boolean {
  if (!hasFields(value)) return false
  const { handled, target = '', progress = {}, failures = {} } = value
  return (
    isSnapshot(handled) &&
    isSnapshot(target) &&
    hasFields(progress) &&
    Object.values(progress).every(isProgress) &&
    hasFields(failures)
  )
}

function isProgress(value: unknown): boolean {
  if (!hasFields(value)) return false
  const { attempts, delays = 0, nextMs = 0, from = '' } = value
  return [attempts, delays, nextMs].every(Number.isFinite) && isSnapshot(from)
}

function isSnapshot(value: unknown): boolean {
  return typeof value === 'string' || (hasFields(value) && hasFields(value['metadata']))
}
