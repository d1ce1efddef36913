import type { Terminal } from '../command/index.ts'
import { Client, type Connection, loadConnection } from 'setpoint/client'
import type { Host } from 'setpoint/host'
import { ApiResources } from './api-resources.ts'
import type { KubectlLine } from './kubectl-flags.ts'
import { KubectlProblem, serverWords } from './kubectl-problem.ts'

/** What a kubectl has of the world. */
export interface KubectlWorld {
  readonly host: Host
  readonly terminal: Terminal
  /** The folder that paths are read from. */
  readonly folder: string
  readonly signal: AbortSignal
  /** The kubeconfig, unless the line names one. */
  readonly kubeconfig?: string | undefined
  /** All that was piped into the command. */
  readInput(): Promise<string>
  /** Opens a file in the person's editor; resolves with the editor's exit code. */
  edit(file: string): Promise<number>
}

/** One command: the cluster it is for, and what became of it. */
export class KubectlSession {
  readonly host: Host
  readonly terminal: Terminal
  readonly signal: AbortSignal
  readonly world: KubectlWorld
  readonly line: KubectlLine
  readonly client: Client
  readonly connection: Connection
  /** The namespace of the command: that of `-n`, else of the context. */
  readonly namespace: string
  #resources: Promise<ApiResources> | undefined
  #hasFailed = false

  private constructor(world: KubectlWorld, line: KubectlLine, connection: Connection) {
    this.world = world
    this.host = world.host
    this.terminal = world.terminal
    this.signal = world.signal
    this.line = line
    this.connection = connection
    this.namespace = connection.namespace
    this.client = new Client(world.host, connection, {
      userAgent: 'setpoint-kubectl',
      onWarning: (text) => world.terminal.note(`Warning: ${text}`),
    })
  }

  /** Finds the cluster that a line is about. */
  static async open(world: KubectlWorld, line: KubectlLine): Promise<KubectlSession> {
    const connection = await loadConnection(world.host, {
      kubeconfig: line.text('kubeconfig') ?? world.kubeconfig,
      context: line.text('context'),
      namespace: line.text('namespace'),
    })
    return new KubectlSession(world, line, actingAs(connection, line.text('as')))
  }

  /** The kinds of the server, asked for once. */
  resources(): Promise<ApiResources> {
    return (this.#resources ??= ApiResources.read(this.client))
  }

  /** Asks again: a command may have made kinds. */
  forgetResources(): void {
    this.#resources = undefined
  }

  /** A line of the result. */
  print(line: string): void {
    this.terminal.print(line)
  }

  /**
   * Does one of several things: what fails is told and does not keep the others from being done. Other errors than
   * refusals end the command.
   */
  async attempt(
    work: () => Promise<void>,
    words: (error: unknown) => string | undefined = serverWords,
  ): Promise<void> {
    try {
      await work()
    } catch (error) {
      const told = error instanceof KubectlProblem ? error.message : words(error)
      if (told === undefined) throw error
      this.fail(told)
    }
  }

  /** Tells a failure; the command goes on and ends with 1. */
  fail(words: string): void {
    this.terminal.note(words)
    this.#hasFailed = true
  }

  /** Ends with 1 without a word: what was printed says it all. */
  failQuietly(): void {
    this.#hasFailed = true
  }

  get exitCode(): 0 | 1 {
    return this.#hasFailed ? 1 : 0
  }
}

/** The same cluster as somebody else, which takes the right to impersonate. */
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
