/**
 * What is remembered about an object between runs and restarts, and how it follows the object. A state is remembered
 * once; what remains to be done for it is listed by handler. A handler that is not in the list has dealt with the last
 * state that was looked at: so nothing is called twice, and no change is lost on a handler however many there are while
 * others fail.
 */
import { hasFields } from '../schema/json-value.ts'
import { type Essence, essenceHash, isSameEssence, type Snapshot } from './essence.ts'
import type { ChangeHandler } from './handler-declaration.ts'
import { isTouched } from './match.ts'

/** How far a handler is that has not succeeded yet. */
export interface Progress {
  /** How often it was tried. */
  readonly attempts: number
  /** How many of the tries asked for more time, if any did. */
  readonly delays?: number
  /** When it was to be called for the first time, as epoch milliseconds. */
  readonly sinceMs: number
  /** Not before this time. */
  readonly nextMs?: number
  /** Why the last try failed. */
  readonly failure?: string
  /** The state it dealt with last, where this is not the one all others did. */
  readonly from?: Snapshot
}

/** What is remembered about an object. */
export interface Memory {
  /** The state that was dealt with; of a new object the one it was first seen in. */
  readonly handled: Snapshot
  /** Its creation is not dealt with yet. */
  readonly isCreating?: true
  /** The state in which it was looked at last, if that is another one. */
  readonly target?: Snapshot
  /** What remains to be done, by handler. */
  readonly progress?: Readonly<Record<string, Progress>>
}

/** An object as it is looked at. */
interface Look {
  readonly essence: Essence
  readonly nowMs: number
  /** Handlers of creation and of updates. */
  readonly handlers: readonly ChangeHandler[]
  /** Whether a handler is for this object. */
  readonly concerns: (handler: ChangeHandler) => boolean
}

/** What is to be done for an object as it is now; `undefined` while it is nobody's business. */
export function advanced(memory: Memory | undefined, look: Look): Memory | undefined {
  if (memory === undefined) return beginning(look)
  const { essence, nowMs, handlers } = look
  const last = memory.target ?? memory.handled
  if (isSameEssence(last, essence)) return memory
  const progress: Record<string, Progress> = {}
  for (const handler of handlers) {
    if (!look.concerns(handler)) continue
    const known = memory.progress?.[handler.id]
    const isAffected = isTouched(handler, last, essence)
    if (known !== undefined) {
      // What the object says now may be what was wrong: no reason to wait.
      const { from } = known
      const anew = { attempts: 0, sinceMs: nowMs, ...(from === undefined ? {} : { from }) }
      progress[handler.id] = isAffected ? anew : known
    } else if (isAffected && handler.on === 'update' && memory.isCreating === undefined) {
      const from = memory.target === undefined ? {} : { from: memory.target }
      progress[handler.id] = { attempts: 0, sinceMs: nowMs, ...from }
    }
  }
  return { ...memory, target: essence, progress }
}

function beginning({ essence, nowMs, handlers, concerns }: Look): Memory | undefined {
  const concerned = handlers.filter(concerns)
  if (concerned.length === 0) return undefined
  const begun = concerned
    .filter((handler) => handler.on === 'create' && isTouched(handler, undefined, essence))
    .map(({ id }) => [id, { attempts: 0, sinceMs: nowMs }] as const)
  return { handled: essence, isCreating: true, progress: Object.fromEntries(begun) }
}

/** The same without what is over: when nothing remains, only the state that was dealt with is remembered. */
export function settled(memory: Memory): Memory {
  const { handled, isCreating, target, progress = {} } = memory
  if (Object.keys(progress).length > 0) return memory
  // What changed during the creation is an update that comes after it.
  return { handled: isCreating === true ? handled : (target ?? handled) }
}

/** The state that a handler with something to do dealt with last. */
export function baseOf(memory: Memory, { on, id }: ChangeHandler): Snapshot | undefined {
  return on === 'update' ? (memory.progress?.[id]?.from ?? memory.handled) : undefined
}

/** More than this is not put into an annotation: all of an object's together may have 256 KiB. */
const textBytesMax = 100_000

/** The memory as text; states that are too large become hashes. */
export function writtenMemory(memory: Memory): { readonly text: string; readonly isCut: boolean } {
  const text = JSON.stringify(memory)
  if (new TextEncoder().encode(text).length <= textBytesMax) return { text, isCut: false }
  const cut = (snapshot: Snapshot): string =>
    typeof snapshot === 'string' ? snapshot : essenceHash(snapshot)
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
  if (text === undefined) return undefined
  try {
    const memory = JSON.parse(text) as unknown
    return hasFields(memory) && isSnapshot(memory['handled'])
      ? (memory as unknown as Memory)
      : undefined
  } catch {
    return undefined
  }
}

function isSnapshot(value: unknown): boolean {
  return typeof value === 'string' || (hasFields(value) && hasFields(value['metadata']))
}
