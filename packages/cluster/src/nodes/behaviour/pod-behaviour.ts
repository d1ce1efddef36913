import type { Frozen } from 'setpoint'
import type { Duration } from 'setpoint/host'
import type { Pod } from 'setpoint/kinds'

/** A pod as it is read: shared, not to be changed. */
export type PodView = Frozen<Pod>

/** How one run of a container ends. */
export interface ContainerExit {
  readonly code: number
  /** How long it ran; 0 by default. */
  readonly after?: Duration
  /**
   * `Completed` for 0 and `Error` for the rest unless given; `OOMKilled` is another that kubelets
   * report.
   */
  readonly reason?: string
  /** The termination message. */
  readonly message?: string
  /** The kubelet ends it because this probe fails, and says so in Events. */
  readonly failedProbe?: 'liveness' | 'startup'
}

/**
 * A line of a log, and when it is written: `after` the start of the container, or `at` a time in
 * epoch milliseconds. Plain text is written at the start.
 */
export type LogLine =
  | string
  | { readonly text: string; readonly after: Duration }
  | { readonly text: string; readonly at: number }

/** Which run of which container is meant. */
export interface ContainerRunOf {
  readonly pod: PodView
  readonly container: string
  /** 0 is the first run. */
  readonly restart: number
}

/** What a command in a container leaves behind. */
export interface ExecResult {
  readonly stdout?: string
  readonly stderr?: string
  /** 0 unless given. */
  readonly exitCode?: number
}

/** A stretch of time, counted from the start of the container; without an end it lasts. */
export interface TimeWindow {
  readonly from: Duration
  readonly to?: Duration
}

/**
 * What a container does in place of a real process. Every field may be left out. By default an
 * image is there, a container starts at once and is ready at once; it stays, unless it is made to
 * end (an init container, or a pod that does not restart always): that one exits with 0 at once.
 * Times are counted from what the pod's status says.
 */
export interface ContainerBehaviour {
  /** How long its image takes to arrive. */
  readonly pullTime?: Duration
  /** Why its image does not arrive: `not found`. It is tried again and again, as kubelets do. */
  readonly pullError?: string
  /** Why it cannot even be created: `configmap "settings" not found`. */
  readonly createError?: string
  /** When its startup probe passes. */
  readonly startedAfter?: Duration
  readonly readyAfter?: Duration
  readonly neverReady?: boolean
  /** When it is not ready although it runs. */
  readonly unready?: readonly TimeWindow[]
  /**
   * How its runs end: all of them, or by turn. "Fails twice, then works" is `[{ code: 1 }, { code:
   * 1 }]`: after the list comes the default. `'never'` lets one run that would end by default. A
   * function is asked again and again while a run lasts: its answer may depend on what has happened
   * meanwhile.
   */
  readonly exits?:
    | ContainerExit
    | readonly ContainerExit[]
    | 'never'
    | ((run: ContainerRunOf) => ContainerExit | 'never' | undefined)
  /** How long it takes to end when it is asked to; at the end of its grace period it is killed. */
  readonly terminationTime?: Duration
  /** What it exits with when it is asked to end; 143 unless given. */
  readonly terminationExitCode?: number
  /** What it writes to its log. */
  readonly logs?: readonly LogLine[] | ((run: ContainerRunOf) => readonly LogLine[])
  /** What commands do in it; without this every command succeeds silently. */
  readonly exec?: (
    command: readonly string[],
    run: ContainerRunOf,
  ) => ExecResult | Promise<ExecResult>
}

/**
 * What a pod does. Fields of the pod itself are about its regular containers; `containers` has more
 * about single ones, also init containers and sidecars, by name.
 */
export interface PodBehaviour extends ContainerBehaviour {
  readonly containers?: Readonly<Record<string, ContainerBehaviour>>
}

/**
 * The annotation by which a pod says itself how it behaves: a `PodBehaviour` as JSON. It wins over
 * all rules.
 */
export const behaviourAnnotation = 'setpoint.dev/pod-behaviour'
