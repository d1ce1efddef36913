import { SetpointError } from '../../errors/index.ts'

/** A cluster as a kubeconfig describes it. */
export interface KubeconfigCluster {
  readonly server?: string
  readonly 'certificate-authority'?: string
  readonly 'certificate-authority-data'?: string
  readonly 'insecure-skip-tls-verify'?: boolean
  readonly 'tls-server-name'?: string
  readonly 'proxy-url'?: string
  readonly extensions?: readonly { readonly name: string; readonly extension: unknown }[] | null
}

/** How a kubeconfig gets credentials from another program. */
export interface KubeconfigExec {
  readonly apiVersion?: string
  readonly command: string
  readonly args?: readonly string[] | null
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null
  readonly installHint?: string
  readonly provideClusterInfo?: boolean
  readonly interactiveMode?: string
}

/** A user as a kubeconfig describes it. */
export interface KubeconfigUser {
  readonly 'client-certificate'?: string
  readonly 'client-certificate-data'?: string
  readonly 'client-key'?: string
  readonly 'client-key-data'?: string
  readonly token?: string
  readonly tokenFile?: string
  readonly username?: string
  readonly password?: string
  readonly as?: string
  readonly 'as-uid'?: string
  readonly 'as-groups'?: readonly string[]
  readonly 'as-user-extra'?: Readonly<Record<string, readonly string[]>>
  readonly exec?: KubeconfigExec
  readonly 'auth-provider'?: unknown
}

interface KubeconfigContext {
  readonly cluster?: string
  readonly user?: string
  readonly namespace?: string
}

interface Named {
  readonly name: string
}

/** The content of one kubeconfig file. */
interface KubeconfigDocument {
  readonly 'current-context'?: string
  readonly clusters?: readonly (Named & { readonly cluster?: KubeconfigCluster | null })[] | null
  readonly users?: readonly (Named & { readonly user?: KubeconfigUser | null })[] | null
  readonly contexts?: readonly (Named & { readonly context?: KubeconfigContext | null })[] | null
}

/** A context with its cluster and user. */
export interface ChosenContext {
  readonly name: string
  readonly cluster: KubeconfigCluster
  readonly user: KubeconfigUser
  readonly namespace: string | undefined
}

/** Several kubeconfig files merged: the first definition wins. */
export class Kubeconfig {
  readonly #clusters = new Map<string, KubeconfigCluster>()
  readonly #users = new Map<string, KubeconfigUser>()
  readonly #contexts = new Map<string, KubeconfigContext>()
  #current = ''

  /** Adds the content of a file. Its paths are relative to the folder of the file. */
  add(value: unknown, file: string): void {
    const document = checkedDocument(value, file)
    const folder = file.replace(/[/\\]?[^/\\]*$/, '')
    if (this.#current === '') this.#current = document['current-context'] ?? ''
    for (const { name, cluster } of document.clusters ?? []) {
      if (!this.#clusters.has(name))
        this.#clusters.set(name, located(cluster ?? {}, folder, ['certificate-authority']))
    }
    for (const { name, user } of document.users ?? []) {
      if (!this.#users.has(name)) this.#users.set(name, locatedUser(user ?? {}, folder))
    }
    for (const { name, context } of document.contexts ?? []) {
      if (!this.#contexts.has(name)) this.#contexts.set(name, context ?? {})
    }
  }

  /** The context of that name, or the current one. */
  choose(requested: string | undefined): ChosenContext {
    const name = requested ?? this.#current
    const context = this.#contexts.get(name)
    if (context === undefined) throw this.#noContext(name)
    const cluster = this.#clusters.get(context.cluster ?? '')
    if (typeof cluster?.server !== 'string' || !cluster.server) {
      throw invalid(
        `the context ${name} names the cluster ${quoted(context.cluster)}, which has no server`,
      )
    }
    const user = this.#users.get(context.user ?? '')
    if (!user && context.user) {
      throw invalid(
        `the context ${name} names the user ${quoted(context.user)}, which does not exist`,
      )
    }
    return { name, cluster, user: user ?? {}, namespace: context.namespace }
  }

  #noContext(name: string): SetpointError {
    const names = [...this.#contexts.keys()].join(', ')
    const what =
      name === '' ? 'the kubeconfig has no current context' : `there is no context ${quoted(name)}`
    return invalid(`${what}; the contexts are: ${names === '' ? 'none' : names}`)
  }
}

/** The error for a kubeconfig that does not lead to a cluster. */
export function invalid(message: string): SetpointError {
  return new SetpointError('CONNECTION_INVALID', message, {
    hint: 'kubectl config view shows the kubeconfig; KUBECONFIG names its files',
  })
}

function quoted(name: string | undefined): string {
  return JSON.stringify(name ?? '')
}

function checkedDocument(value: unknown, file: string): KubeconfigDocument {
  if (value === null || value === undefined) return {}
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw invalid(`${file} is not a kubeconfig: its content is not an object`)
  }
  for (const list of ['clusters', 'users', 'contexts'] as const) {
    const entries = (value as Record<string, unknown>)[list] ?? []
    const isFine =
      Array.isArray(entries) &&
      entries.every((entry) => typeof entry === 'object' && entry !== null && 'name' in entry)
    if (!isFine)
      throw invalid(`${file} is not a kubeconfig: ${list} is not a list of named entries`)
  }
  return value
}

/** An entry with absolute paths. */
function located<T extends object>(entry: T, folder: string, fields: readonly (keyof T)[]): T {
  const paths = fields.flatMap((field) => {
    const path = entry[field]
    return typeof path === 'string' && path ? [[field, absolute(path, folder)] as const] : []
  })
  return { ...entry, ...Object.fromEntries(paths) }
}

/** A command with a slash is a path; a bare command is searched on the PATH. */
function locatedUser(user: KubeconfigUser, folder: string): KubeconfigUser {
  const { exec } = user
  const isPath = exec && /[/\\]/.test(exec.command)
  return {
    ...located(user, folder, ['client-certificate', 'client-key', 'tokenFile']),
    ...(isPath ? { exec: located(exec, folder, ['command']) } : {}),
  }
}

function absolute(path: string, folder: string): string {
  const isAbsolute = /^([/\\]|[A-Za-z]:[/\\])/.test(path)
  return isAbsolute || folder === '' ? path : `${folder}/${path}`
}
