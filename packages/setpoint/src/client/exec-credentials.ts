import { SetpointError } from '../errors/index.ts'
import type { Clock, Commands } from '../host/index.ts'
import type { KubeconfigCluster, KubeconfigExec } from './kubeconfig.ts'

/** What a credential plugin gives. */
interface ExecCredential {
  readonly token?: string
  readonly clientCertificateData?: string
  readonly clientKeyData?: string
  readonly expirationTimestamp?: string
}

/** A plugin is asked again this long before its credential ends, so that no request carries a dead one. */
const leewayMs = 10_000

/** Credentials from another program (`exec` in a kubeconfig), kept until they expire or are refused. */
export class ExecCredentials {
  readonly #host: Clock & Commands
  readonly #exec: KubeconfigExec
  readonly #cluster: KubeconfigCluster
  #current: ExecCredential | undefined
  #running: Promise<ExecCredential> | undefined

  constructor(host: Clock & Commands, exec: KubeconfigExec, cluster: KubeconfigCluster) {
    this.#host = host
    this.#exec = exec
    this.#cluster = cluster
  }

  /** A credential that is still good; several callers share one run of the program. */
  async current(): Promise<ExecCredential> {
    if (this.#current !== undefined && !this.#isOver(this.#current)) return this.#current
    this.#running ??= this.#run().finally(() => (this.#running = undefined))
    return this.#running
  }

  /** The server did not take it. */
  refused(): void {
    this.#current = undefined
  }

  #isOver({ expirationTimestamp }: ExecCredential): boolean {
    if (expirationTimestamp === undefined) return false
    return Date.parse(expirationTimestamp) - leewayMs <= this.#host.now()
  }

  async #run(): Promise<ExecCredential> {
    const { command, args, env, apiVersion = 'client.authentication.k8s.io/v1' } = this.#exec
    const result = await this.#started({
      args: args ?? [],
      env: {
        ...Object.fromEntries((env ?? []).map(({ name, value }) => [name, value])),
        KUBERNETES_EXEC_INFO: JSON.stringify(this.#info(apiVersion)),
      },
    })
    if (result.exitCode !== 0) {
      throw this.#failed(`${command} ended with ${result.exitCode}: ${result.stderr.trim()}`)
    }
    this.#current = this.#credentialIn(result.stdout, apiVersion)
    return this.#current
  }

  async #started(options: { args: readonly string[]; env: Record<string, string> }) {
    try {
      return await this.#host.runCommand(this.#exec.command, options)
    } catch (cause) {
      throw this.#failed(cause instanceof Error ? cause.message : String(cause), cause)
    }
  }

  #info(apiVersion: string): object {
    const { server, 'certificate-authority-data': ca, 'proxy-url': proxyUrl } = this.#cluster
    const cluster = { server, 'certificate-authority-data': ca, 'proxy-url': proxyUrl }
    const spec = {
      interactive: false,
      ...(this.#exec.provideClusterInfo === true ? { cluster } : {}),
    }
    return { apiVersion, kind: 'ExecCredential', spec }
  }

  #credentialIn(stdout: string, apiVersion: string): ExecCredential {
    let answer: { kind?: string; apiVersion?: string; status?: ExecCredential }
    try {
      answer = JSON.parse(stdout) as typeof answer
    } catch (cause) {
      throw this.#failed(`${this.#exec.command} printed no JSON`, cause)
    }
    const { kind, status } = answer
    if (kind !== 'ExecCredential' || answer.apiVersion !== apiVersion || status === undefined) {
      throw this.#failed(`${this.#exec.command} printed no ExecCredential of ${apiVersion}`)
    }
    if (status.token === undefined && status.clientCertificateData === undefined) {
      throw this.#failed(`${this.#exec.command} printed neither a token nor a certificate`)
    }
    return status
  }

  #failed(why: string, cause?: unknown): SetpointError {
    const { installHint } = this.#exec
    return new SetpointError('CREDENTIALS_UNAVAILABLE', why, {
      hint: installHint ?? 'run the command by hand to see what it says',
      ...(cause === undefined ? {} : { cause }),
    })
  }
}
