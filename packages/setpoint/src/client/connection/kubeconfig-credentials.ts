import type { Clock, Commands, Files, HttpRequestHeaders, LogSink } from '../../host/index.ts'
import type { Credential, CredentialSource } from './connection.ts'
import { RotatingFile } from './credential-files.ts'
import { ExecCredentials } from './exec-credentials.ts'
import { type ChosenContext, invalid, type KubeconfigUser } from './kubeconfig.ts'

/** The parts of the host that credentials need. */
type CredentialHost = Files & Clock & Commands & Pick<LogSink, 'isTerminal'>

/** Content that is inline in the kubeconfig or in a file. */
type Source = (() => Promise<string>) | undefined

/** The credentials of a context: certificates and tokens, inline or in files, and plugins. */
export class KubeconfigCredentials implements CredentialSource {
  readonly #context: ChosenContext
  readonly #files: RotatingFile[] = []
  readonly #host: CredentialHost
  readonly #exec: ExecCredentials | undefined
  readonly #sources: Readonly<Record<'ca' | 'cert' | 'key' | 'token', Source>>
  /** The same object for the same content: hosts reuse connections by it. */
  #current: { readonly parts: readonly unknown[]; readonly credential: Credential } | undefined

  constructor(host: CredentialHost, context: ChosenContext) {
    const { cluster, user } = context
    if (user['auth-provider']) {
      throw invalid(
        `the user of the context ${context.name} has an auth-provider, which Kubernetes removed in 1.26`,
      )
    }
    if (user.exec && !user.exec.command) {
      throw invalid(`the user of the context ${context.name} has an exec without a command`)
    }
    this.#host = host
    this.#context = context
    this.#sources = {
      ca: this.#source(cluster, 'certificate-authority'),
      cert: this.#source(user, 'client-certificate'),
      key: this.#source(user, 'client-key'),
      token: this.#tokenSource(user),
    }
    const { ca, cert, key } = this.#sources
    this.#exec = user.exec ? new ExecCredentials(host, user.exec, { cluster, ca }) : undefined
    if ((cert === undefined) !== (key === undefined)) {
      const [has, lacks] = cert
        ? ['client-certificate', 'client-key']
        : ['client-key', 'client-certificate']
      throw invalid(`the user of the context ${context.name} has a ${has} without a ${lacks}`)
    }
  }

  async current(): Promise<Credential> {
    const { cluster, user } = this.#context
    const [ca, cert, key, token, plugin] = await Promise.all([
      this.#sources.ca?.(),
      this.#sources.cert?.(),
      this.#sources.key?.(),
      this.#sources.token?.(),
      this.#exec?.current(),
    ])
    const parts = [ca, cert, key, token, plugin]
    const known = this.#current
    if (known?.parts.every((part, index) => part === parts[index]) === true) return known.credential
    const credential = {
      headers: { ...authorization(user, token ?? plugin?.token), ...impersonation(user) },
      tls: {
        ca,
        cert: cert ?? plugin?.clientCertificateData,
        key: key ?? plugin?.clientKeyData,
        serverName: cluster['tls-server-name'],
        insecureSkipVerify: cluster['insecure-skip-tls-verify'],
      },
    }
    this.#current = { parts, credential }
    return credential
  }

  /** `undefined` for a plugin, because only the plugin knows when its credential expires. */
  ready(): Credential | undefined {
    const isKnown = this.#exec === undefined && this.#files.every(({ isUpToDate }) => isUpToDate)
    return isKnown ? this.#current?.credential : undefined
  }

  refused(credential = this.#current?.credential): void {
    if (credential !== this.#current?.credential) return
    this.#exec?.refused()
    for (const file of this.#files) file.expire()
  }

  /** Inline data takes precedence over a file, as in kubectl. */
  #source<Field extends string>(
    from: { readonly [F in Field | `${Field}-data`]?: string },
    field: Field,
  ): Source {
    const data = from[`${field}-data`]
    if (data) {
      const text = this.#decoded(data, field)
      return async () => text
    }
    return this.#fileSource(from[field])
  }

  #decoded(data: string, field: string): string {
    try {
      return new TextDecoder().decode(Uint8Array.from(atob(data), (c) => c.charCodeAt(0)))
    } catch {
      throw invalid(`${field}-data of the context ${this.#context.name} is not base64`)
    }
  }

  #fileSource(path: string | undefined): Source {
    if (!path) return undefined
    const file = new RotatingFile(this.#host, path)
    this.#files.push(file)
    return () => file.text()
  }

  /** A token file takes precedence over a token, because it can be renewed. */
  #tokenSource({ token, tokenFile }: KubeconfigUser): Source {
    const file = this.#fileSource(tokenFile)
    if (file !== undefined) return async () => (await file()).trim()
    // It may be written as a number, or as a block that ends with a newline.
    const text = String(token ?? '').trim()
    return text === '' ? undefined : async () => text
  }
}

function authorization(user: KubeconfigUser, token: string | undefined): HttpRequestHeaders {
  if (token) return { authorization: `Bearer ${token}` }
  if (!user.username) return {}
  const pair = new TextEncoder().encode(`${user.username}:${user.password ?? ''}`)
  return { authorization: `Basic ${btoa(String.fromCharCode(...pair))}` }
}

/** A server does not split these headers at commas: each value needs its own header. */
function impersonation(user: KubeconfigUser): HttpRequestHeaders {
  const extra = Object.entries(user['as-user-extra'] ?? {}).map(
    ([key, values]) => [`impersonate-extra-${encodeURIComponent(key)}`, values] as const,
  )
  return {
    ...(user.as ? { 'impersonate-user': user.as } : {}),
    ...(user['as-uid'] ? { 'impersonate-uid': user['as-uid'] } : {}),
    ...(user['as-groups'] ? { 'impersonate-group': user['as-groups'] } : {}),
    ...Object.fromEntries(extra),
  }
}
