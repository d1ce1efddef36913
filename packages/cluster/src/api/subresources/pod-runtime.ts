/** The interface of the API server to the kubelets; a cluster without nodes has none. */
export interface PodRuntime {
  /**
   * The log of a container in pieces, or a refusal. `pod` is called again to read the current pod.
   */
  log(pod: () => unknown, request: PodLogRequest): AsyncIterable<Uint8Array> | PodRefusal
  /** Runs a command, or returns why it cannot run. */
  exec(pod: unknown, request: PodExecRequest): Promise<PodExecution | PodRefusal>
}

/** A command in a container. */
interface PodExecRequest {
  readonly container: string
  readonly command: readonly string[]
  readonly tty: boolean
  /** The client's stdin, until it ends. */
  readonly stdin: AsyncIterable<Uint8Array>
  readonly signal: AbortSignal
}

/** A running command: its output and its exit code. */
export interface PodExecution {
  readonly stdout?: string | AsyncIterable<Uint8Array>
  readonly stderr?: string | AsyncIterable<Uint8Array>
  /** 0 unless given. */
  readonly exitCode?: number | Promise<number>
}

/** The options of a log request. */
export interface PodLogRequest {
  readonly container: string
  readonly previous?: boolean
  readonly sinceMs?: number
  readonly tailLines?: number
  readonly limitBytes?: number
  readonly timestamps?: boolean
  readonly follow?: boolean
  readonly signal?: AbortSignal
}

/** The error message of a kubelet. */
interface PodRefusal {
  readonly refusal: string
}
