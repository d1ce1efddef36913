import type { EndpointSlice, Secret, Service } from 'setpoint/kinds'
import { fine, type Finding, note, wrong } from '../finding.ts'
import type { CalledServer } from './called-servers.ts'
import type { UrlProbe } from './url-probe.ts'
import { bundleProblem, certificatesIn, servingProblem } from './certificate-problem.ts'

/** What the cluster has behind the servers. */
interface ServerState {
  readonly services: readonly Service[]
  readonly endpointSlices: readonly EndpointSlice[]
  /** The Secrets with the certificates of own servers; without those that cannot be read. */
  readonly secrets: readonly Secret[]
  /** The results for servers with a URL. */
  readonly probes: ReadonlyMap<CalledServer, UrlProbe>
  readonly nowMs: number
}

/** A problem of one server, before it is known whether it is the project's. */
interface Problem {
  readonly state: 'note' | 'wrong'
  readonly message: string
  readonly fix: string
}

function fineMessage({ url }: CalledServer): string {
  return url === undefined
    ? 'its server has ready endpoints and a valid certificate'
    : `this machine reaches ${url}, and its certificate is valid`
}

/**
 * Whether the API server reaches a server and trusts it. A problem of a server of another program
 * is a note.
 */
export function serverFindings(servers: readonly CalledServer[], state: ServerState): Finding[] {
  return servers.flatMap((server): Finding[] => {
    const problems = [
      ...serviceProblems(server, state),
      ...certificateProblems(server, state),
      ...urlProblems(server, state),
    ]
    if (problems.length === 0) {
      return server.isOwn ? [fine(server.title, fineMessage(server))] : []
    }
    return problems.map((problem) =>
      problem.state === 'wrong' && server.isOwn
        ? wrong(server.title, problem.message, problem.fix)
        : note(server.title, problem.message, problem.fix),
    )
  })
}

const deployFix =
  'deploy the operator (setpoint deploy), or delete the object if nothing serves it any more'

function serviceProblems({ service }: CalledServer, state: ServerState): Problem[] {
  if (service === undefined) return []
  const { namespace, name, port } = service
  const title = `the Service ${namespace}/${name}`
  const found = state.services.find(
    ({ metadata }) => metadata.name === name && metadata.namespace === namespace,
  )
  if (found === undefined) {
    return [{ state: 'wrong', message: `${title} does not exist`, fix: deployFix }]
  }
  const { ports = [], type } = found.spec
  if (!ports.some((one) => one.port === port)) {
    const message = `${title} has no port ${port}`
    return [{ state: 'wrong', message, fix: 'correct the port of the Service, or of the object' }]
  }
  if (type === 'ExternalName') return []
  const isReady = state.endpointSlices.some(
    ({ metadata, endpoints }) =>
      metadata.namespace === namespace &&
      metadata.labels?.['kubernetes.io/service-name'] === name &&
      (endpoints ?? []).some(({ conditions }) => conditions?.ready !== false),
  )
  if (isReady) return []
  const fix = `check its pods: kubectl get pods --namespace ${namespace}`
  return [{ state: 'wrong', message: `${title} has no ready endpoints`, fix }]
}

/**
 * The API server may reach other networks than this machine, so an address that does not respond
 * is a note. A certificate that the CA bundle does not trust is refused everywhere.
 */
function urlProblems(server: CalledServer, { probes }: ServerState): Problem[] {
  const probe = probes.get(server)
  if (probe === undefined || probe.result === 'reached') return []
  if (probe.result === 'untrusted') {
    return [{ state: 'wrong', message: `every call fails: ${probe.why}`, fix: bundleFix }]
  }
  const message = `this machine does not reach its URL: ${probe.why}`
  const fix = 'check that the server runs, and that the API server reaches this address'
  return [{ state: 'note', message, fix }]
}

const bundleFix =
  'a running operator of Setpoint sets the caBundle: check that it runs, and its log; otherwise check what renews it'

function certificateProblems(server: CalledServer, state: ServerState): Problem[] {
  const { service, caBundle, isInsecure } = server
  const problem = (message: string, level: Problem['state'] = 'wrong'): Problem => ({
    state: level,
    message,
    fix: bundleFix,
  })
  if (isInsecure) return [problem('the certificate of its server is not verified', 'note')]
  if (caBundle === undefined) {
    // The server of a URL may have a certificate that the machine of the API server trusts.
    return service === undefined ? [] : [problem('it has no caBundle: every call fails')]
  }
  const authorities = certificatesIn(atob(caBundle))
  if (authorities === undefined) return [problem('the caBundle is not readable: every call fails')]
  const serving = servingCertificates(server, state)[0]
  const problems = [
    bundleProblem(authorities, state.nowMs),
    serving === undefined ? undefined : servingProblem(serving, authorities, state.nowMs),
  ]
  return problems.flatMap((one) => (one === undefined ? [] : problem(one.message, one.state)))
}

/** The certificate in the Secret of a server that Setpoint deployed; it is named after its Service. */
function servingCertificates({ service }: CalledServer, { secrets }: ServerState) {
  const secret = secrets.find(
    ({ metadata }) =>
      metadata.name === `${service?.name ?? ''}-tls` && metadata.namespace === service?.namespace,
  )
  const text = secret?.data?.['tls.crt']
  return text === undefined ? [] : (certificatesIn(atob(text)) ?? [])
}
