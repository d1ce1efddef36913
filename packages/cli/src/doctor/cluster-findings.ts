import type { AnyOperator, Kind } from 'setpoint'
import { type Client, isApiError } from 'setpoint/client'
import type { Clock } from 'setpoint/host'
import type { ClusterAccess } from '../access/index.ts'
import { CommandError } from '../command/index.ts'
import { fine, type Finding, note, wrong } from './finding.ts'

/** Kubernetes versions that this release is tried with. */
const minorOldest = 30

/** Leases and certificates begin to suffer about here. */
const skewMsMax = 2_000

const answerMs = 10_000

/** Whether the cluster answers, which version it has, and what its clock says. */
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
          'it may work; nobody tried it',
        )
      : fine('version', `Kubernetes ${gitVersion}`),
    ...(connection.isInsecure === true
      ? [
          wrong(
            'certificate',
            'the certificate of the server is not verified',
            'replace insecure-skip-tls-verify in the kubeconfig by the authority of the cluster',
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

/** Proxies and login pages answer, too. */
function versionIn(title: string, text: string): ServerVersion {
  try {
    return JSON.parse(text) as ServerVersion
  } catch (cause) {
    throw new CommandError(`${title} answers, but not as a Kubernetes API server does`, {
      cause,
      hint: 'look at the address in the kubeconfig: is something else there, or a login in between?',
    })
  }
}

/** The server's clock has whole seconds, and was read somewhere between sending and receiving. */
function clockFinding(date: string | undefined, sentMs: number, receivedMs: number): Finding {
  const told = date === undefined ? Number.NaN : Date.parse(date)
  if (Number.isNaN(told))
    return note(
      'clock',
      'the server does not tell its time',
      'nothing; clocks could not be compared',
    )
  const behindMs = sentMs - (told + 1000)
  const aheadMs = told - receivedMs
  const skewMs = Math.max(behindMs, aheadMs, 0)
  if (skewMs <= skewMsMax) return fine('clock', 'it agrees with that of the server')
  const seconds = Math.round(skewMs / 1000)
  const which = behindMs > aheadMs ? 'ahead of' : 'behind'
  return wrong(
    'clock',
    `this machine is ${seconds} s ${which} the server`,
    'set the clock by NTP; Leases and tokens depend on it',
  )
}

/** Whether a watch of each kind opens and says how far it is. */
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
      if (event.type === 'BOOKMARK') return fine(subject, 'it opens and tells how far it is')
    }
    return note(
      subject,
      'it opens, but does not tell when it is up to date',
      'nothing: pages are listed instead of a streamed list',
    )
  } catch (error) {
    if (isApiError(error, 'API_NOT_FOUND')) {
      return wrong(
        subject,
        `the server has no ${kind.plural} in ${kind.apiVersion}`,
        'install its CRD: setpoint install, for your own',
      )
    }
    if (isApiError(error, 'API_FORBIDDEN')) {
      return wrong(subject, 'you may not watch it', 'see what `access` says')
    }
    const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    return wrong(
      subject,
      message,
      'look at what is between here and the server: proxies that buffer or cut connections',
    )
  }
}
