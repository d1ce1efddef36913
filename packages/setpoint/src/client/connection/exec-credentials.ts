import { headline, SetpointError } from '../../errors/index.ts'
import type { Clock, Commands, LogSink } from '../../host/index.ts'
import type { KubeconfigCluster, KubeconfigExec } from './kubeconfig.ts'

/** The credential that a plugin returns. */
interface ExecCredential {
  readonly token?: string
  readonly clientCertificateData?: string
  readonly clientKeyData?: string
  readonly expirationTimestamp?: string
}

/** The parts of the host that a plugin needs. */
type PluginHost = Clock & Commands & Pick<LogSink, 'isTerminal'>

/** The cluster of a credential, for plugins that ask for it. */
interface ExecTarget {
  readonly cluster: KubeconfigCluster
  /** The certificate authority of the cluster, inline or from a file. */
  readonly ca: (() => Promise<string>) | undefined
}

/** The fields of a kubeconfig cluster that plugins get. */
const providedFields = [
  'server',
  'tls-server-name',
  'insecure-skip-tls-verify',
  'proxy-url',
] as const

/** The extension of a cluster that is meant for plugins. */
const configExtension = 'client.authentication.k8s.io/exec'

/**
 * A plugin runs again this long before its credential expires, so that no request uses an expired
 * one.
 */
const leewayMs = 10_000

/**
 * Credentials of another program (`exec` in a kubeconfig), kept until they expire or are refused.
 */
export class ExecCredentials {
  readonly #host: PluginHost
  readonly #exec: KubeconfigExec
  readonly #target: ExecTarget
  #current: ExecCredential | undefined
  #running: Promise<ExecCredential> | undefined

  constructor(host: PluginHost, exec: KubeconfigExec, target: ExecTarget) {
    this.#host = host
    this.#exec = exec
    this.#target = target
  }

  /** A valid credential; concurrent callers share one run of the program. */
  async current(): Promise<ExecCredential> {
    if (this.#current !== undefined && !this.#isExpired(this.#current)) return this.#current
    this.#running ??= this.#run().finally(() => (this.#running = undefined))
    return this.#running
  }

  /** The server refused the credential. */
  refused(): void {
    this.#current = undefined
  }

  #isExpired({ expirationTimestamp }: ExecCredential): boolean {
    if (expirationTimestamp === undefined) return false
    return Date.parse(expirationTimestamp) - leewayMs <= this.#host.now()
  }

  async #run(): Promise<ExecCredential> {
    const { command, args, env, apiVersion = 'client.authentication.k8s.io/v1' } = this.#exec
    if (this.#exec.interactiveMode === 'Always' && !this.#host.isTerminal) {
      throw this.#failed(
        `${command} needs a terminal (interactiveMode is Always), but there is none`,
      )
    }
    const result = await this.#runPlugin({
      args: args ?? [],
      env: {
        ...Object.fromEntries((env ?? []).map(({ name, value }) => [name, value])),
        KUBERNETES_EXEC_INFO: JSON.stringify(await this.#info(apiVersion)),
      },
    })
    if (result.exitCode !== 0) {
      throw this.#failed(`${command} exited with code ${result.exitCode}: ${result.stderr.trim()}`)
    }
    this.#current = this.#credentialIn(result.stdout, apiVersion)
    return this.#current
  }

  async #runPlugin(options: { args: readonly string[]; env: Record<string, string> }) {
    try {
      return await this.#host.runCommand(this.#exec.command, options)
    } catch (cause) {
      throw this.#failed(headline(cause), cause)
    }
  }

  async #info(apiVersion: string): Promise<object> {
    const providesCluster = this.#exec.provideClusterInfo === true
    const spec = {
      interactive: false,
      ...(providesCluster ? { cluster: await this.#clusterInfo() } : {}),
    }
    return { apiVersion, kind: 'ExecCredential', spec }
  }

  async #clusterInfo(): Promise<object> {
    const { cluster, ca } = this.#target
    const authority = await ca?.()
    const extension = cluster.extensions?.find(({ name }) => name === configExtension)
    return {
      ...Object.fromEntries(providedFields.map((field) => [field, cluster[field]])),
      ...(authority && { 'certificate-authority-data': Buffer.from(authority).toString('base64') }),
      config: extension?.extension,
    }
  }

  /** The output of a plugin is never part of a message: it may be a token. */
  #credentialIn(stdout: string, apiVersion: string): ExecCredential {
    let answer: { kind?: string; apiVersion?: string; status?: ExecCredential | null } | null
    try {
      answer = JSON.parse(stdout) as typeof answer
    } catch {
      throw this.#printed('no JSON')
    }
    const status = answer?.status
    if (answer?.kind !== 'ExecCredential' || answer.apiVersion !== apiVersion || !status) {
      throw this.#printed(`no ExecCredential of ${apiVersion}`)
    }
    const { token, clientCertificateData, clientKeyData, expirationTimestamp } = status
    const isHalf = !clientCertificateData !== !clientKeyData
    if (isHalf || (!token && !clientKeyData)) {
      throw this.#printed('neither a token nor a certificate with its key')
    }
    if (expirationTimestamp !== undefined && Number.isNaN(Date.parse(expirationTimestamp))) {
      throw this.#printed('an invalid expirationTimestamp')
    }
    return status
  }

  #printed(what: string): SetpointError {
    return this.#failed(`${this.#exec.command} printed ${what}`)
  }

  #failed(why: string, cause?: unknown): SetpointError {
    const { installHint } = this.#exec
    return new SetpointError('CREDENTIALS_UNAVAILABLE', why, {
      hint: installHint ?? 'run the command by hand to see its output',
      ...(cause === undefined ? {} : { cause }),
    })
  }
}
