import type { Terminal } from '../command/index.ts'
import { Client, type Connection, loadConnection } from 'setpoint/client'
import type { Host } from 'setpoint/host'
import { ApiResources } from './api-resources.ts'
import type { KubectlLine } from './kubectl-flags.ts'
import { KubectlProblem, serverMessage } from './kubectl-problem.ts'

/** The input of the built-in kubectl besides its arguments. */
export interface KubectlContext {
  readonly host: Host
  readonly terminal: Terminal
  /** The current folder, for relative paths. */
  readonly folder: string
  readonly signal: AbortSignal
  /** The kubeconfig, unless `--kubeconfig` is set. */
  readonly kubeconfig?: string | undefined
  /** Reads the standard input. */
  readInput(): Promise<string>
  /** Opens a file in the user's editor; resolves with the editor's exit code. */
  edit(file: string): Promise<number>
}

/** One command: its cluster, its arguments and its exit code. */
export class KubectlSession {
  readonly host: Host
  readonly terminal: Terminal
  readonly signal: AbortSignal
  readonly context: KubectlContext
  readonly line: KubectlLine
  readonly client: Client
  readonly connection: Connection
  /** The namespace of `-n`, or else of the context. */
  readonly namespace: string
  #resources: Promise<ApiResources> | undefined
  #hasFailed = false

  private constructor(context: KubectlContext, line: KubectlLine, connection: Connection) {
    this.context = context
    this.host = context.host
    this.terminal = context.terminal
    this.signal = context.signal
    this.line = line
    this.connection = connection
    this.namespace = connection.namespace
    this.client = new Client(context.host, connection, {
      userAgent: 'setpoint-kubectl',
      onWarning: (text) => context.terminal.printProgress(`Warning: ${text}`),
    })
  }

  /** Connects to the cluster of a command line. */
  static async open(context: KubectlContext, line: KubectlLine): Promise<KubectlSession> {
    const connection = await loadConnection(context.host, {
      kubeconfig: line.text('kubeconfig') ?? context.kubeconfig,
      context: line.text('context'),
      namespace: line.text('namespace'),
    })
    return new KubectlSession(context, line, actingAs(connection, line.text('as')))
  }

  /** The kinds of the server, read once. */
  resources(): Promise<ApiResources> {
    return (this.#resources ??= ApiResources.read(this.client))
  }

  /** Reads the kinds again next time: a command may have created a CRD. */
  forgetResources(): void {
    this.#resources = undefined
  }

  /** A line of the result. */
  print(line: string): void {
    this.terminal.print(line)
  }

  /**
   * Runs one of several steps. A refusal is printed, and the command continues with the next step;
   * other errors end the command.
   */
  async attempt(
    work: () => Promise<void>,
    messageOf: (error: unknown) => string | undefined = serverMessage,
  ): Promise<void> {
    try {
      await work()
    } catch (error) {
      const message = error instanceof KubectlProblem ? error.message : messageOf(error)
      if (message === undefined) throw error
      this.fail(message)
    }
  }

  /** Prints a failure; the command continues and exits with 1. */
  fail(message: string): void {
    this.terminal.printProgress(message)
    this.#hasFailed = true
  }

  /** Exits with 1 without a message. */
  failQuietly(): void {
    this.#hasFailed = true
  }

  get exitCode(): 0 | 1 {
    return this.#hasFailed ? 1 : 0
  }
}

/** The same cluster as another user, which needs the permission to impersonate. */
function actingAs(connection: Connection, user: string | undefined): Connection {
  if (user === undefined) return connection
  const { credentials } = connection
  return {
    ...connection,
    credentials: {
      current: async () => {
        const { headers, ...credential } = await credentials.current()
        return { ...credential, headers: { ...headers, 'impersonate-user': user } }
      },
      refused: () => credentials.refused(),
    },
  }
}
