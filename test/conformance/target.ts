import { createCluster } from '@setpoint/cluster'
import { nodeHost, virtualHost, type Network, type TlsClientSettings } from 'setpoint/host'
import { readFileSync } from 'node:fs'

/** A server that cases run on. */
export interface Target extends AsyncDisposable {
  readonly network: Network
  readonly url: string
  readonly tls: TlsClientSettings | undefined
  /** Lets a moment pass before something is asked again. */
  readonly pause: () => Promise<void>
}

interface Kubeconfig {
  readonly clusters: readonly {
    readonly cluster: { server: string; 'certificate-authority-data': string }
  }[]
  readonly users: readonly {
    readonly user: { 'client-certificate-data': string; 'client-key-data': string }
  }[]
}

function text(base64: string | undefined): string {
  return Buffer.from(base64 ?? '', 'base64').toString('utf8')
}

/** The embedded server in virtual time: a watch that lasts a second takes none. */
export async function embeddedTarget(): Promise<Target> {
  const host = virtualHost({ seed: 'conformance' })
  const cluster = await createCluster({
    host,
    workloads: 'off',
    users: [{ name: 'viewer', uid: 'viewer-uid', token: 'viewer-token' }],
  })
  const config = JSON.parse(cluster.kubeconfig()) as Kubeconfig
  const user = config.users[0]?.user
  return {
    network: host,
    url: cluster.url,
    tls: {
      ca: cluster.caCert,
      cert: text(user?.['client-certificate-data']),
      key: text(user?.['client-key-data']),
    },
    pause: () => host.sleep(50),
    [Symbol.asyncDispose]: async () => {
      await cluster.dispose()
      host.stop()
    },
  }
}

/** A server that runs already, by a kubeconfig whose credentials are files. */
export function runningTarget(kubeconfig: string): Target {
  const config = readFileSync(kubeconfig, 'utf8')
  const pick = (name: string): string => {
    const value = new RegExp(`${name}: "?([^"\\s,}]+)`).exec(config)?.[1]
    if (value === undefined) throw new Error(`${kubeconfig} has no ${name}`)
    return value
  }
  const host = nodeHost()
  return {
    network: host,
    url: pick('server'),
    tls: {
      ca: readFileSync(pick('certificate-authority'), 'utf8'),
      cert: readFileSync(pick('client-certificate'), 'utf8'),
      key: readFileSync(pick('client-key'), 'utf8'),
    },
    pause: () => host.sleep(50),
    [Symbol.asyncDispose]: async () => undefined,
  }
}
