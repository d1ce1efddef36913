import type { AnyOperator, Kind } from 'setpoint'
import { type Client, isApiError } from 'setpoint/client'
import type { Clock } from 'setpoint/host'
import type { ClusterAccess } from '../access/index.ts'
import { CommandError } from '../command/index.ts'
import { fine, type Finding, note, wrong } from './finding.ts'

/** The oldest Kubernetes version that this release is tested with. */
const minorOldest = 30

/** A larger clock skew causes problems with Leases and tokens. */
const skewMsMax = 2_000

const answerMs = 10_000

/** Checks that the cluster answers, its version, its certificate and its clock. */
export async function serverFindings(
  { client, connection, title }: ClusterAccess,
  host: Clock,
): Promise<Finding[]> {
  const path = '/version'
  const sentMs = host.now()
  const answer = await client.transport.stream({
    method: 'GET',
    path,
    what: 'version',
    timeout: answerMs,
  })
  const receivedMs = host.now()
  const text = await client.transport.text({
    method: 'GET',
    path,
    what: 'version',
    timeout: answerMs,
  })
  const { gitVersion = '', minor = '' } = versionIn(title, text)
  const isOld = Number.parseInt(minor, 10) < minorOldest
  return [
    fine('cluster', `${title} answers`),
    isOld
      ? note(
          'version',
          `Kubernetes ${gitVersion} is older than 1.${minorOldest}`,
          'it may work, but it is not tested',
        )
      : fine('version', `Kubernetes ${gitVersion}`),
    ...(connection.isInsecure === true
      ? [
          wrong(
            'certificate',
            'the certificate of the API server is not verified',
            'replace insecure-skip-tls-verify in the kubeconfig by certificate-authority-data',
          ),
        ]
      : []),
    clockFinding(answer.headers['date'], sentMs, receivedMs),
  ]
}

interface ServerVersion {
  readonly gitVersion?: string
  readonly minor?: string
}

/** Proxies and login pages also answer, but not with a version. */
function versionIn(title: string, text: string): ServerVersion {
  try {
    return JSON.parse(text) as ServerVersion
  } catch (cause) {
    throw new CommandError(`${title} answers, but is not a Kubernetes API server`, {
      cause,
      hint: 'check the server URL in the kubeconfig; it may be another program or a login page',
    })
  }
}

/** The Date header has whole seconds, and was set between sending and receiving. */
function clockFinding(date: string | undefined, sentMs: number, receivedMs: number): Finding {
  const serverMs = date === undefined ? Number.NaN : Date.parse(date)
  if (Number.isNaN(serverMs))
    return note(
      'clock',
      'the server sends no Date header',
      'none needed; the clocks were not compared',
    )
  const behindMs = sentMs - (serverMs + 1000)
  const aheadMs = serverMs - receivedMs
  const skewMs = Math.max(behindMs, aheadMs, 0)
  if (skewMs <= skewMsMax) return fine('clock', 'the clocks of this machine and the server agree')
  const seconds = Math.round(skewMs / 1000)
  const which = behindMs > aheadMs ? 'ahead of' : 'behind'
  return wrong(
    'clock',
    `this machine is ${seconds} s ${which} the server`,
    'synchronize the clock with NTP; Leases and tokens depend on it',
  )
}

/** Checks that a watch of each kind opens and sends bookmarks. */
export async function watchFindings(
  client: Client,
  operators: readonly AnyOperator[],
  namespace: string | undefined,
): Promise<Finding[]> {
  const kinds = new Map<string, Kind>()
  for (const { declaration } of operators) {
    const { kind, children, owns, watches } = declaration
    for (const each of [kind, ...owns, ...[...children, ...watches].map((it) => it.kind)]) {
      kinds.set(`${each.plural}.${each.group}`, each)
    }
  }
  return Promise.all([...kinds.values()].map(async (kind) => watchFinding(client, kind, namespace)))
}

async function watchFinding(
  client: Client,
  kind: Kind,
  namespace: string | undefined,
): Promise<Finding> {
  const subject = `watch ${kind.plural}`
  const place = kind.scope === 'Namespaced' && namespace !== undefined ? { namespace } : {}
  try {
    const options = {
      ...place,
      bookmarks: true,
      initialEvents: true,
      timeoutSeconds: 5,
      deadlineMs: answerMs,
    }
    for await (const event of client.watch(kind, options)) {
      if (event.type === 'BOOKMARK') return fine(subject, 'the watch opens and sends bookmarks')
    }
    return note(
      subject,
      'the watch opens, but sends no bookmark after the initial events',
      'none needed; operators use a paged list instead of a streamed list',
    )
  } catch (error) {
    if (isApiError(error, 'API_NOT_FOUND')) {
      return wrong(
        subject,
        `the server has no ${kind.plural} in ${kind.apiVersion}`,
        'install its CRD; for your own: setpoint install',
      )
    }
    if (isApiError(error, 'API_FORBIDDEN')) {
      return wrong(subject, 'you cannot watch it', 'see the finding `access`')
    }
    const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    return wrong(
      subject,
      message,
      'check for proxies between this machine and the server that buffer or close connections',
    )
  }
}
