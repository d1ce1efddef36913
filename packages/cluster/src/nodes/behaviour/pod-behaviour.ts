import type { Frozen } from 'setpoint'
import type { Duration, HttpHandler } from 'setpoint/host'
import type { Pod } from 'setpoint/kinds'

/** A pod from the cache: shared, do not modify. */
export type PodView = Frozen<Pod>

/** How one run of a container ends. */
export interface ContainerExit {
  readonly code: number
  /** How long it ran; default 0. */
  readonly after?: Duration
  /** Default `Completed` for code 0 and `Error` for others. Kubelets also report `OOMKilled`. */
  readonly reason?: string
  readonly message?: string
  /** The kubelet stops the container because this probe fails, and records Events for it. */
  readonly failedProbe?: 'liveness' | 'startup'
}

/**
 * A log line, and when it is written: `after` the start of the container, or `at` a time in epoch
 * milliseconds. Plain text is written at the start.
 */
export type LogLine =
  | string
  | { readonly text: string; readonly after: Duration }
  | { readonly text: string; readonly at: number }

/** A run of a container. */
export interface ContainerRunOf {
  readonly pod: PodView
  readonly container: string
  /** 0 is the first run. */
  readonly restart: number
}

/** The result of a command in a container. */
export interface ExecResult {
  readonly stdout?: string
  readonly stderr?: string
  /** Default 0. */
  readonly exitCode?: number
}

/** A time window, relative to the start of the container; without an end it does not end. */
export interface TimeWindow {
  readonly from: Duration
  readonly to?: Duration
}

/**
 * The behaviour of a container. All fields are optional. By default the image is present, and a
 * container starts and becomes ready immediately. It keeps running, except an init container or a
 * container of a pod that is not restarted always: that one exits with 0 immediately. Times are
 * relative to times in the pod's status.
 */
export interface ContainerBehaviour {
  /** How long the image pull takes. */
  readonly pullTime?: Duration
  /** Why the image pull fails: `not found`. It is retried with a backoff, as kubelets do. */
  readonly pullError?: string
  /** Why the container cannot be created: `configmap "settings" not found`. */
  readonly createError?: string
  /** When its startup probe succeeds. */
  readonly startedAfter?: Duration
  readonly readyAfter?: Duration
  readonly neverReady?: boolean
  /** When it is not ready although it runs. */
  readonly unready?: readonly TimeWindow[]
  /**
   * How its runs end: all of them, or one after the other. "Fails twice, then works" is `[{ code: 1
   * }, { code: 1 }]`: after the list the default applies. With `'never'` a run does not end, even
   * if it would by default. A function is called repeatedly during a run, so its result may depend
   * on what has happened since.
   */
  readonly exits?:
    | ContainerExit
    | readonly ContainerExit[]
    | 'never'
    | ((run: ContainerRunOf) => ContainerExit | 'never' | undefined)
  /** How long it takes to stop; at the end of its grace period it is killed. */
  readonly terminationTime?: Duration
  /** The exit code when it is stopped; default 143. */
  readonly terminationExitCode?: number
  /** The lines of its log. */
  readonly logs?: readonly LogLine[] | ((run: ContainerRunOf) => readonly LogLine[])
  /** The result of commands in it; by default every command succeeds without output. */
  readonly exec?: (
    command: readonly string[],
    run: ContainerRunOf,
  ) => ExecResult | Promise<ExecResult>
  /**
   * Answers the requests of the API server to the ports of the pod: of webhooks and aggregated APIs
   * whose Service selects the pod. By default connections are refused.
   */
  readonly http?: HttpHandler
}

/**
 * The behaviour of a pod. The fields of the pod apply to its regular containers. `containers` has
 * the behaviour of single containers by name, including init containers and sidecars.
 */
export interface PodBehaviour extends ContainerBehaviour {
  readonly containers?: Readonly<Record<string, ContainerBehaviour>>
}

/** The annotation with the behaviour of a pod: a `PodBehaviour` as JSON. It overrides all rules. */
export const behaviourAnnotation = 'setpoint.dev/pod-behaviour'
