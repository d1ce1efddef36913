import type { Clock, Commands, Files, HttpHeaders } from '../host/index.ts'
import type { Credential, CredentialSource } from './connection.ts'
import { RotatingFile } from './credential-files.ts'
import { ExecCredentials } from './exec-credentials.ts'
import { type ChosenContext, invalid, type KubeconfigUser } from './kubeconfig.ts'

/** Content that is either in the kubeconfig or in a file. */
type Source = (() => Promise<string>) | undefined

/** The credentials of a context: certificates and tokens, inline or in files, and plugins. */
export class KubeconfigCredentials implements CredentialSource {
  readonly #context: ChosenContext
  readonly #files: RotatingFile[] = []
  readonly #host: Files & Clock & Commands
  readonly #exec: ExecCredentials | undefined
  readonly #sources: Readonly<Record<'ca' | 'cert' | 'key' | 'token', Source>>
  /** The same object for the same content: hosts find their connections by it. */
  #current: { readonly parts: readonly unknown[]; readonly credential: Credential } | undefined

  constructor(host: Files & Clock & Commands, context: ChosenContext) {
    const { cluster, user } = context
    if (user['auth-provider'] !== undefined) {
      throw invalid(
        `the user of the context ${context.name} has an auth-provider, which Kubernetes removed in 1.26`,
      )
    }
    this.#host = host
    this.#context = context
    this.#exec = user.exec === undefined ? undefined : new ExecCredentials(host, user.exec, cluster)
    this.#sources = {
      ca: this.#source(cluster['certificate-authority-data'], cluster['certificate-authority']),
      cert: this.#source(user['client-certificate-data'], user['client-certificate']),
      key: this.#source(user['client-key-data'], user['client-key']),
      token: this.#tokenSource(user),
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

  refused(): void {
    this.#exec?.refused()
    for (const file of this.#files) file.expire()
  }

  /** Data in the kubeconfig stands above a file, as in kubectl. */
  #source(data: string | undefined, path: string | undefined): Source {
    if (data !== undefined && data !== '') {
      const text = new TextDecoder().decode(Uint8Array.from(atob(data), (c) => c.charCodeAt(0)))
      return async () => text
    }
    if (path === undefined || path === '') return undefined
    const file = new RotatingFile(this.#host, path)
    this.#files.push(file)
    return () => file.text()
  }

  /** A token file stands above a token, because it can be renewed. */
  #tokenSource({ token, tokenFile }: KubeconfigUser): Source {
    const file = this.#source(undefined, tokenFile)
    if (file !== undefined) return async () => (await file()).trim()
    return token === undefined || token === '' ? undefined : async () => token
  }
}

function authorization(user: KubeconfigUser, token: string | undefined): HttpHeaders {
  if (token !== undefined) return { authorization: `Bearer ${token}` }
  if (user.username === undefined) return {}
  const pair = new TextEncoder().encode(`${user.username}:${user.password ?? ''}`)
  return { authorization: `Basic ${btoa(String.fromCharCode(...pair))}` }
}

function impersonation(user: KubeconfigUser): HttpHeaders {
  return {
    ...(user.as === undefined ? {} : { 'impersonate-user': user.as }),
    ...(user['as-uid'] === undefined ? {} : { 'impersonate-uid': user['as-uid'] }),
    ...(user['as-groups'] === undefined
      ? {}
      : { 'impersonate-group': user['as-groups'].join(', ') }),
  }
}
