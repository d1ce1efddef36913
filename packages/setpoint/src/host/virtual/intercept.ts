import { type Duration, durationMs } from '../duration.ts'
import { invalidCallError } from '../invalid-call-error.ts'

/** The kinds of events of a virtual host. */
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

/** An event that is about to happen, passed to `intercept` once. */
export interface VirtualEvent {
  /** Counts the events from 1, so that a test can refer to one of them. */
  readonly id: number
  readonly kind: VirtualEventKind
  /** The line of the trace. */
  readonly label: string
  /** Milliseconds since the start of the virtual host, as in the trace. */
  readonly atMs: number
  /** The number of the connection; every request has its own. */
  readonly connection?: number
  readonly method?: string
  readonly url?: string
  /** The content of a chunk, not a copy: do not change it. */
  readonly bytes?: Uint8Array
}

/**
 * The decision about an event: `undefined` lets it happen; `delay` postpones it and the events
 * ordered behind it; `'drop'` loses it, and on a connection everything that follows in that
 * direction, without an error; `'cut'` resets its connection instead; `'repeat'` lets it happen
 * twice.
 */
export type Verdict = undefined | { readonly delay: Duration } | 'drop' | 'cut' | 'repeat'

/** Decides about every timer, request and delivery of a virtual host. */
export type Intercept = (event: VirtualEvent) => Verdict

/**
 * Every event may be delayed or dropped; a cut needs a connection, and only some events can be
 * repeated.
 */
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

/** Refuses a verdict that has no meaning for the event. */
export function checkVerdict(event: VirtualEvent, verdict: unknown): asserts verdict is Verdict {
  if (verdict === undefined || verdict === 'drop') return
  if (typeof verdict === 'object' && verdict !== null) {
    const delay: unknown = 'delay' in verdict ? verdict.delay : undefined
    durationMs(delay as Duration, `the delay of event ${event.id} (${event.label})`)
    return
  }
  if (meaningful[event.kind].some((known) => known === verdict)) return
  throw invalidCallError(
    `intercept returns ${JSON.stringify(verdict)} for event ${event.id} (${event.label}), a ${event.kind}`,
    `a ${event.kind} can be: delayed, ${['drop', ...meaningful[event.kind]].join(', ')}`,
  )
}
