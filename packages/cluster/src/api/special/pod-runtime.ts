/** What the server asks the nodes for about a pod; a cluster without nodes has none. */
export interface PodRuntime {
  /** The log of a container as pieces of text, or why there is none. The pod is read again as it changes. */
  log(pod: () => unknown, request: PodLogRequest): AsyncIterable<Uint8Array> | PodRefusal
  /** Runs a command, or tells why it cannot. */
  exec(pod: unknown, request: PodExecRequest): Promise<PodExecution | PodRefusal>
}

/** A command in a container. */
interface PodExecRequest {
  readonly container: string
  readonly command: readonly string[]
  readonly tty: boolean
  /** What the client sends, until it ends. */
  readonly stdin: AsyncIterable<Uint8Array>
  readonly signal: AbortSignal
}

/** A command at work: what it writes, and how it ends. */
export interface PodExecution {
  readonly stdout?: string | AsyncIterable<Uint8Array>
  readonly stderr?: string | AsyncIterable<Uint8Array>
  /** 0 unless given. */
  readonly exitCode?: number | Promise<number>
}

/** Which part of a log is wanted. */
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

/** The words of a node that cannot do what it was asked for. */
interface PodRefusal {
  readonly refusal: string
}
