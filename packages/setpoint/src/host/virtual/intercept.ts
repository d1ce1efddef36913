import { type Duration, durationMs } from '../duration.ts'
import { misuse } from '../misuse.ts'

/** What can be about to happen in a virtual world. */
export type VirtualEventKind =
  | 'timer'
  | 'connect'
  | 'request'
  | 'request-chunk'
  | 'request-end'
  | 'response'
  | 'response-chunk'
  | 'response-end'
  | 'reset'

/** Something that is about to happen, shown to `intercept` once. */
export interface VirtualEvent {
  /** Counts the events of the world from 1, so that a plan can name one of them. */
  readonly id: number
  readonly kind: VirtualEventKind
  /** The line of the trace. */
  readonly label: string
  /** Milliseconds since the world began, as in the trace. */
  readonly atMs: number
  /** The number of the connection; every request has its own. */
  readonly connection?: number
  readonly method?: string
  readonly url?: string
  /** The content of a chunk, itself and not a copy: read it, but do not change it. */
  readonly bytes?: Uint8Array
}

/**
 * What becomes of an event: `undefined` lets it happen; `delay` postpones it and what is ordered
 * behind it; `'drop'` loses it, and on a connection everything that follows in that direction, and
 * nobody is told; `'cut'` resets its connection instead; `'repeat'` lets it happen twice.
 */
export type Verdict = undefined | { readonly delay: Duration } | 'drop' | 'cut' | 'repeat'

/** Decides about every timer, request and delivery of a virtual world. */
export type Intercept = (event: VirtualEvent) => Verdict

/** Everything may be delayed or dropped; a cut needs a connection, a repetition needs a meaning. */
const meaningful: Record<VirtualEventKind, readonly ('cut' | 'repeat')[]> = {
  timer: ['repeat'],
  connect: ['cut'],
  request: ['cut', 'repeat'],
  'request-chunk': ['cut', 'repeat'],
  'request-end': ['cut'],
  response: ['cut'],
  'response-chunk': ['cut', 'repeat'],
  'response-end': ['cut'],
  reset: [],
}

/** Refuses a verdict that has no meaning for the event, instead of guessing one. */
export function checkVerdict(event: VirtualEvent, verdict: unknown): asserts verdict is Verdict {
  if (verdict === undefined || verdict === 'drop') return
  if (typeof verdict === 'object' && verdict !== null) {
    const delay: unknown = 'delay' in verdict ? verdict.delay : undefined
    durationMs(delay as Duration, `the delay of event ${event.id} (${event.label})`)
    return
  }
  if (meaningful[event.kind].some((known) => known === verdict)) return
  throw misuse(
    `intercept answers ${JSON.stringify(verdict)} to event ${event.id} (${event.label}), a ${event.kind}`,
    `a ${event.kind} can be: delayed, ${['drop', ...meaningful[event.kind]].join(', ')}`,
  )
}
