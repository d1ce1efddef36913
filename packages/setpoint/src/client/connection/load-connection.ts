import { isSetpointError } from '../../errors/index.ts'
import type { Host } from '../../host/index.ts'
import type { Connection } from './connection.ts'
import { hasScheme, proxyFromEnvironment, proxyFromKubeconfig } from './connection-proxy.ts'
import { inClusterConnection, isInCluster } from './in-cluster.ts'
import { type ChosenContext, invalid, Kubeconfig } from './kubeconfig.ts'
import { KubeconfigCredentials } from './kubeconfig-credentials.ts'
import { parsePlainYaml } from './plain-yaml.ts'
import { yamlReader } from './yaml-reader.ts'

/** Where to look for a cluster. */
export interface LoadOptions {
  /** A kubeconfig file, instead of `KUBECONFIG` or the one in the home directory. */
  readonly kubeconfig?: string | undefined
  /** A context, instead of the current one. */
  readonly context?: string | undefined
  readonly namespace?: string | undefined
}

/**
 * Finds the cluster as kubectl does: the given kubeconfig, or `KUBECONFIG` (several files, the
 * first definition wins), or the cluster in which this process runs, or `~/.kube/config`. The proxy
 * comes from the kubeconfig (`proxy-url`), or from the environment (`HTTPS_PROXY`, `NO_PROXY`).
 */
export async function loadConnection(host: Host, options: LoadOptions = {}): Promise<Connection> {
  const files = filesFromEnvironment(host, options)
  if (files === undefined && (await isInCluster(host))) return inClusterConnection(host, options)
  const home = host.env('HOME') ?? host.env('USERPROFILE') ?? ''
  const paths = files ?? [`${home}/.kube/config`]
  const kubeconfig = new Kubeconfig()
  const found = await Promise.all(paths.map(async (path) => readIfExists(host, path, options)))
  if (!found.some((text) => text !== undefined)) {
    throw invalid(
      `there is no kubeconfig at ${paths.join(', ')}, and this process does not run in a cluster`,
    )
  }
  for (const [index, text] of found.entries()) {
    const path = paths[index] ?? ''
    if (text !== undefined) kubeconfig.add(await parseKubeconfigText(text, path), path)
  }
  return connectionOf(host, kubeconfig, options)
}

/** A connection from the text of a kubeconfig, for example for a test cluster. */
export async function connectionFromKubeconfig(
  host: Host,
  text: string,
  options: Omit<LoadOptions, 'kubeconfig'> = {},
): Promise<Connection> {
  const kubeconfig = new Kubeconfig()
  const file = 'the kubeconfig'
  kubeconfig.add(await parseKubeconfigText(text, file), file)
  return connectionOf(host, kubeconfig, options)
}

function connectionOf(host: Host, kubeconfig: Kubeconfig, options: LoadOptions): Connection {
  const context = kubeconfig.choose(options.context)
  const { 'proxy-url': proxyUrl } = context.cluster
  const server = serverOf(context)
  return {
    name: context.name,
    server,
    proxy: proxyUrl
      ? proxyFromKubeconfig(proxyUrl, context.name)
      : proxyFromEnvironment(host, server),
    namespace: options.namespace ?? (context.namespace || 'default'),
    credentials: new KubeconfigCredentials(host, context),
    isInsecure: context.cluster['insecure-skip-tls-verify'] === true,
  }
}

/** An address without a scheme gets the one that kubectl would use. */
function serverOf({ name, cluster, user }: ChosenContext): string {
  const { server = '' } = cluster
  const settings = Object.keys({ ...cluster, ...user }).join(' ')
  const scheme = /certificate|insecure/.test(settings) ? 'https' : 'http'
  const address = hasScheme(server) ? server : `${scheme}://${server}`
  if (URL.canParse(address)) return address
  throw invalid(
    `the context ${name} names the server ${JSON.stringify(server)}, which is not a URL`,
  )
}

function filesFromEnvironment(host: Host, { kubeconfig }: LoadOptions): string[] | undefined {
  if (kubeconfig !== undefined) return [kubeconfig]
  const listed = (host.env('KUBECONFIG') ?? '')
    .split(host.env('OS') === 'Windows_NT' ? ';' : ':')
    .filter((path) => path !== '')
  return listed.length === 0 ? undefined : listed
}

/** Files of a list may be missing, as in kubectl; an explicitly given file must exist. */
async function readIfExists(
  host: Host,
  path: string,
  { kubeconfig }: LoadOptions,
): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await host.readFile(path))
  } catch (error) {
    if (kubeconfig === undefined && isSetpointError(error, 'FILE_NOT_FOUND')) return undefined
    throw error
  }
}

/** Kubeconfigs are YAML, nearly always plain; JSON, as in test clusters, is YAML too. */
async function parseKubeconfigText(text: string, file: string): Promise<unknown> {
  const isJson = /^\s*\{/.test(text)
  const plain = isJson ? undefined : parsePlainYaml(text)
  if (plain !== undefined) return plain.value
  const read = isJson ? JSON.parse : await yamlReader(file)
  try {
    // trim() removes a byte order mark too.
    return read(isJson ? text.trim() : text)
  } catch (error) {
    // Only the position: the rest of a parser's message shows the content, which may be a token.
    const [where = 'an unknown place'] =
      /(line \d+,? column|position) \d+/.exec(String(error)) ?? []
    throw invalid(`${file} cannot be read: it is not valid ${isJson ? 'JSON' : 'YAML'} at ${where}`)
  }
}
