import { X509Certificate } from 'node:crypto'
import { createCluster, type Cluster } from '@setpoint/cluster'
import { Client, connectionFromKubeconfig } from '../../client/index.ts'
import {
  type Host,
  type Intercept,
  type TlsServerIdentity,
  type VirtualHost,
  virtualHost,
} from '../../host/index.ts'
import { Secret } from '../../kinds/index.ts'
import { hostLogger } from '../../log/index.ts'
import { SecretCertificate, type SecretCertificateOptions } from '../index.ts'

/** A replica of a server with a certificate. */
interface Replica {
  readonly certificate: SecretCertificate
  /** Resolves when it serves. */
  readonly ready: Promise<void>
  identity(): TlsServerIdentity | undefined
  stop(): void
}

interface ReplicaOptions extends Partial<SecretCertificateOptions> {
  /** How much its clock is ahead. */
  readonly skewMs?: number
  /** Makes `register` fail. */
  readonly failsToRegister?: () => boolean
}

/** Replicas with a common Secret and one registration, in virtual time. */
interface CertificateWorld extends AsyncDisposable {
  readonly host: VirtualHost
  readonly cluster: Cluster
  readonly admin: Client
  /** Times at which a client that trusts the registration would have refused a replica. */
  readonly refusals: string[]
  /** The registered bundles, the newest last. */
  readonly bundles: string[]
  start(options?: ReplicaOptions): Replica
  secret(): Promise<Secret>
  file(name: string): Promise<string>
  setFiles(files: Readonly<Record<string, string>>): Promise<void>
  /** The messages of the log from a level on, without their subject. */
  messages(level: number): string[]
}

export const reference = { name: 'webhooks', namespace: 'default' }

export async function createWorld(
  options: { readonly seed?: number; readonly intercept?: Intercept } = {},
): Promise<CertificateWorld> {
  const host = virtualHost({ seed: options.seed ?? 1, intercept: options.intercept })
  const cluster = await createCluster({ host, workloads: 'off' })
  const connection = await connectionFromKubeconfig(host, cluster.kubeconfig())
  const admin = new Client(host, {
    ...connection,
    server: connection.server.replace('127.0.0.1', '0.0.0.0'),
  })
  const replicas = new Set<Replica>()
  const [refusals, bundles]: [string[], string[]] = [[], []]
  const observe = (): void => {
    for (const replica of replicas) {
      const problem = refusalOf(replica.identity(), bundles.at(-1), host.now())
      if (problem !== undefined) refusals.push(`${new Date(host.now()).toISOString()}: ${problem}`)
    }
  }
  const secret = () => admin.get(Secret, reference)
  return {
    host,
    cluster,
    admin,
    refusals,
    bundles,
    start: ({ skewMs = 0, failsToRegister, ...rest } = {}) => {
      const on: Host = { ...host, now: () => host.now() + skewMs }
      const stopping = new AbortController()
      let identity: TlsServerIdentity | undefined
      const certificate = new SecretCertificate({
        host: on,
        client: new Client(on, connection),
        log: hostLogger(host),
        secret: reference,
        hosts: ['webhooks.default.svc'],
        register: async (bundle) => {
          if (failsToRegister?.() === true) throw new Error('the registration is refused')
          if (bundles.at(-1) !== bundle) bundles.push(bundle)
          observe()
        },
        use: (used) => {
          identity = used
          observe()
        },
        ...rest,
      })
      const ready = certificate.prepare(stopping.signal)
      const replica = {
        certificate,
        ready,
        identity: () => identity,
        stop: () => {
          replicas.delete(replica)
          stopping.abort()
        },
      }
      replicas.add(replica)
      ready.then(
        () => certificate.run(stopping.signal),
        () => undefined,
      )
      return replica
    },
    secret,
    file: async (name) => Buffer.from((await secret()).data?.[name] ?? '', 'base64').toString(),
    setFiles: async (files) => {
      const data = Object.entries(files).map(([name, text]) => [name, btoa(text)])
      await admin.patch(Secret, reference, { merge: { data: Object.fromEntries(data) as object } })
    },
    messages: (least) =>
      host.logged
        .map((line) => JSON.parse(line) as { level: number; msg: string })
        .filter(({ level }) => level >= least)
        .map(({ msg }) => msg.replace('the Secret default/webhooks ', '')),
    [Symbol.asyncDispose]: async () => {
      for (const replica of replicas) replica.stop()
      await cluster.dispose()
      host.stop()
    },
  }
}

/** Why a client that trusts the bundle refuses the certificate now. */
function refusalOf(
  identity: TlsServerIdentity | undefined,
  bundle: string | undefined,
  nowMs: number,
): string | undefined {
  if (identity === undefined) return undefined
  const cert = parsed(identity.cert)
  const isCurrent = (each: X509Certificate) =>
    Date.parse(each.validFrom) <= nowMs && nowMs < Date.parse(each.validTo)
  if (!isCurrent(cert)) return `valid from ${cert.validFrom} until ${cert.validTo}`
  const isTrusted = blocksIn(bundle ?? '').some(
    (ca) => isCurrent(parsed(ca)) && hasIssued(ca, identity.cert),
  )
  return isTrusted ? undefined : `the issuer ${cert.issuer} is not registered`
}

/** The certificates of a bundle. */
export function certificatesIn(bundle: string): X509Certificate[] {
  return blocksIn(bundle).map(parsed)
}

function blocksIn(bundle: string): string[] {
  return bundle.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g) ?? []
}

/** Remembers results, because the replicas are observed at every check. */
function remembered<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const value = known.get(text) ?? compute(text)
    known.set(text, value)
    return value
  }
}

const parsed = remembered((pem) => new X509Certificate(pem))

const issued = remembered((pair) => {
  const [ca, cert] = certificatesIn(pair)
  return ca !== undefined && cert?.checkIssued(ca) === true && cert.verify(ca.publicKey)
})

function hasIssued(ca: string, cert: string): boolean {
  return issued(ca + cert)
}
