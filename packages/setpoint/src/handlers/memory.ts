/**
 * What is remembered about an object between runs and restarts, and how it follows the object. A state is remembered
 * once; what remains to be done for it is listed by handler. A handler that is not in the list has dealt with the last
 * state that was looked at: so nothing is called twice, and no change is lost on a handler however many there are while
 * others fail.
 */
import { hasFields, jsonEquals } from '../schema/json-value.ts'
import { cutEssence, type Essence, isSameEssence, type Snapshot } from './essence.ts'
import type { ChangeHandler } from './declare/handler-declaration.ts'
import { isTouched } from './match.ts'

/** How far a handler is that has not succeeded yet. */
export interface Progress {
  /** How often it was tried. */
  readonly attempts: number
  /** How many of the tries asked for more time, if any did. */
  readonly delays?: number
  /** Not before this time, as epoch milliseconds. */
  readonly nextMs?: number
  /** Why the last try failed. */
  readonly failure?: string
  /** The state it dealt with last, where this is not the one all others did. */
  readonly from?: Snapshot
}

/** What is remembered about an object. */
export interface Memory {
  /** The object it is about: a copy of an object has the annotation, too, and has been through nothing. */
  readonly uid?: string
  /** The state that was dealt with; of a new object the one it was first seen in. */
  readonly handled: Snapshot
  /** Its creation is not dealt with yet. */
  readonly isCreating?: true
  /** It is being deleted: what remains to be done are its cleanups. */
  readonly isDeleting?: true
  /** The state in which it was looked at last, if that is another one. */
  readonly target?: Snapshot
  /** What remains to be done, by handler. */
  readonly progress?: Readonly<Record<string, Progress>> | undefined
  /** What those failed with that were given up on, until what they were about changes. */
  readonly failures?: Readonly<Record<string, string>> | undefined
}

/** An object as it is looked at. */
interface Look {
  readonly essence: Essence
  /** Handlers of creation and of updates. */
  readonly handlers: readonly ChangeHandler[]
  /** Whether a handler is for this object. */
  readonly concerns: (handler: ChangeHandler) => boolean
  /** What a filter of a handler says; a filter that throws says no. */
  readonly accepts: (handler: ChangeHandler, filter: () => boolean) => boolean
}

/** What is to be done for an object as it is now; `undefined` while it is nobody's business. */
export function advanced(memory: Memory | undefined, look: Look): Memory | undefined {
  if (memory === undefined) return beginning(look)
  const { essence, handlers } = look
  const last = memory.target ?? memory.handled
  if (isSameEssence(last, essence)) return memory
  const progress: Record<string, Progress> = {}
  const failures: Record<string, string> = {}
  for (const handler of handlers) {
    if (!look.concerns(handler)) continue
    const { id, on } = handler
    const known = memory.progress?.[id]
    const failure = memory.failures?.[id]
    const isAffected = look.accepts(handler, () => isTouched(handler, last, essence))
    if (known !== undefined) {
      // What the object says now may be what was wrong: no reason to wait.
      const { from } = known
      const anew = { attempts: 0, ...(from === undefined ? {} : { from }) }
      progress[id] = isAffected ? anew : known
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

/** Whether what a handler failed with for good may still be so: what it is about has not changed; of a creation all but the metadata. */
function hasSameCause(handler: ChangeHandler, last: Snapshot, essence: Essence): boolean {
  if (handler.on === 'update') return !isTouched({ ...handler, options: {} }, last, essence)
  return (
    typeof last === 'object' && jsonEquals({ ...last, metadata: {} }, { ...essence, metadata: {} })
  )
}

function beginning({ essence, handlers, concerns, accepts }: Look): Memory | undefined {
  const concerned = handlers.filter(concerns)
  if (concerned.length === 0) return undefined
  const begun = concerned.filter(
    (handler) =>
      handler.on === 'create' && accepts(handler, () => isTouched(handler, undefined, essence)),
  )
  return { handled: essence, isCreating: true, progress: untried(begun) }
}

/** What remains of the cleanups of an object that is being deleted. A change of it may be what they wait for. */
export function leaving(memory: Memory | undefined, look: Omit<Look, 'accepts'>): Memory {
  const handled = cutEssence(look.essence, [])
  const isDeleting = memory?.isDeleting === true
  if (isDeleting && memory.handled === handled) return memory
  const isLeft = isDeleting
    ? ({ id }: ChangeHandler) => memory.progress?.[id] !== undefined
    : look.concerns
  return { handled, isDeleting: true, progress: untried(look.handlers.filter(isLeft)) }
}

function untried(handlers: readonly ChangeHandler[]): Record<string, Progress> {
  return Object.fromEntries(handlers.map(({ id }) => [id, { attempts: 0 }]))
}

/** The same without what is over: when nothing remains, only the state that was dealt with is remembered. */
export function settled(memory: Memory): Memory {
  const { isCreating, target, progress: _, ...rest } = memory
  if (!isOver(memory)) return memory
  // What changed during the creation is an update that comes after it.
  return { ...rest, handled: isCreating === true ? rest.handled : (target ?? rest.handled) }
}

/** Whether nothing remains to be done. */
export function isOver({ progress = {} }: Memory): boolean {
  return Object.keys(progress).length === 0
}

/** The state that a handler with something to do dealt with last. */
export function baseOf(memory: Memory, { on, id }: ChangeHandler): Snapshot | undefined {
  return on === 'update' ? (memory.progress?.[id]?.from ?? memory.handled) : undefined
}

/** More than this is not put into an annotation: all of an object's together may have 256 KiB. */
const textBytesMax = 100_000

/** The memory as text; states that are too large become hashes, of them and of the fields that handlers follow. */
export function writtenMemory(
  memory: Memory,
  handlers: readonly ChangeHandler[],
): { readonly text: string; readonly isCut: boolean } {
  const text = JSON.stringify(memory)
  if (new TextEncoder().encode(text).length <= textBytesMax) return { text, isCut: false }
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
  return { text: JSON.stringify(short), isCut: true }
}

/** Reads a memory; a text that nobody here wrote is none. */
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
