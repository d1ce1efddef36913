import type { Clock, Environment, Files } from '../../host/index.ts'
import type { Connection, Credential } from './connection.ts'
import { proxyFromEnvironment } from './connection-proxy.ts'
import { RotatingFile } from './credential-files.ts'

/** The directory of a pod's service account. */
const folder = '/var/run/secrets/kubernetes.io/serviceaccount'

/** The name of the connection to the cluster of the pod. */
export const inClusterName = 'in-cluster'

/** Whether this process runs in a pod with a service account token. */
export async function isInCluster(host: Files & Environment): Promise<boolean> {
  if ((host.env('KUBERNETES_SERVICE_HOST') ?? '') === '') return false
  return (await host.fileInfo(`${folder}/token`)) !== undefined
}

/**
 * The cluster in which this process runs. The token and the authority are read again when they are
 * renewed.
 */
export async function inClusterConnection(
  host: Files & Clock & Environment,
  options: { readonly namespace?: string | undefined } = {},
): Promise<Connection> {
  const token = new RotatingFile(host, `${folder}/token`)
  const authority = new RotatingFile(host, `${folder}/ca.crt`)
  const address = host.env('KUBERNETES_SERVICE_HOST') ?? ''
  const port = host.env('KUBERNETES_SERVICE_PORT') ?? '443'
  let known: Credential | undefined
  const server = `https://${address.includes(':') ? `[${address}]` : address}:${port}`
  return {
    name: inClusterName,
    server,
    proxy: proxyFromEnvironment(host, server),
    namespace: options.namespace ?? (await ownNamespace(host)),
    isInsecure: false,
    credentials: {
      current: async () => {
        const [bearer, ca] = await Promise.all([token.text(), authority.text()])
        const authorization = `Bearer ${bearer.trim()}`
        // The same object for the same content: hosts reuse connections by it.
        const tls = known?.tls.ca === ca ? known.tls : { ca }
        if (known?.tls !== tls || known.headers['authorization'] !== authorization) {
          known = { headers: { authorization }, tls }
        }
        return known
      },
      ready: () => (token.isUpToDate && authority.isUpToDate ? known : undefined),
      refused: (credential = known) => {
        if (credential !== known) return
        token.expire()
        authority.expire()
      },
    },
  }
}

async function ownNamespace(host: Files): Promise<string> {
  const file = `${folder}/namespace`
  if ((await host.fileInfo(file)) === undefined) return 'default'
  return new TextDecoder().decode(await host.readFile(file)).trim()
}
