/**
 * A conformance case is a script of requests. The same script runs on the embedded server and on a
 * real one, and the normalised answers must be equal.
 */
import type { JsonValue } from 'setpoint/schema'

/** One request. `{ns}` in strings is the namespace of the case, `{name}` a captured value. */
export interface Request {
  readonly method:
    'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS' | 'TRACE' | 'FOO'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** A value is sent as JSON; text and bytes (base64) are sent as they are. */
  readonly body?: JsonValue | { readonly text: string } | { readonly base64: string }
  /** Values of the answer for later requests: name -> path such as `metadata.uid`. */
  readonly capture?: Readonly<Record<string, string>>
  /** A refused request has no values to capture: those of earlier requests stay. */
  readonly isCaptureOptional?: boolean
  /** Headers of the answer that are compared, in addition to the content type and warnings. */
  readonly showHeaders?: readonly string[]
  /** Only set up: the answer must be a success but is not compared. */
  readonly isSetup?: boolean
  /** Compare only these parts of the answer, for answers that are too large to record. */
  readonly show?: readonly string[]
  /** Compare the text of the answer, where the format of numbers or the order of keys matters. */
  readonly isRaw?: boolean
  /**
   * Repeats the request until the answer is this: a real server observes new definitions and rights
   * a moment
   * later.
   */
  readonly until?: Expectation
}

/**
 * The expected answer; `value` is compared at `path`, and without it the path must exist.
 */
export interface Expectation {
  readonly code?: number
  readonly path?: string
  readonly value?: JsonValue
}

/** A watch that is open while other requests run; its events are compared. */
export interface Watch {
  readonly watch: string
  readonly headers?: Readonly<Record<string, string>>
  readonly during: readonly Request[]
  /**
   * How many events to wait for; the watch is then closed. Without it the server must end the
   * watch.
   */
  readonly events?: number
}

/** Compacts the history: later steps ask for compacted revisions. */
interface Compaction {
  readonly compact: true
}

/**
 * The requests that webhooks have received since the last such step are compared, sorted by the
 * path of the webhook. `{hook}` in strings is the URL of the webhook server, `{caBundle}` its
 * authority; hook-server.ts has the paths.
 */
interface ReceivedReviews {
  readonly reviews: true
}

/** One step of a case. */
export type Step = Request | Watch | Compaction | ReceivedReviews

/** A script. */
export interface ConformanceCase {
  readonly name: string
  readonly steps: readonly Step[]
  /** It needs no namespace. */
  readonly isClusterWide?: boolean
  /** Paths to delete at the end, for objects that the case created outside of its namespace. */
  readonly cleanup?: readonly string[]
  /**
   * Why the embedded server answers differently. The case runs but is not compared;
   * docs/reference/fidelity.md has details.
   */
  readonly differs?: string
}

/** The normalised answer to a step. */
export interface Answer {
  readonly code: number
  readonly type?: string
  readonly warning?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: JsonValue
}
