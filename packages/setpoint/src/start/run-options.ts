import type { ElectionSettings } from '../leader-election/election-settings.ts'
import { SetpointError } from '../errors/index.ts'
import type { Environment } from '../host/index.ts'
import type { AnyOperator } from '../operator/index.ts'
import { leaseName } from './lease-name.ts'
import type { StartOptions } from './start-options.ts'

/** The options of a main file; their defaults suit a pod. */
export interface RunOptions extends Omit<StartOptions, 'probes' | 'election'> {
  /** 0.0.0.0:8081 by default, or `LISTEN_HOST` and `PROBES_PORT`; `false` serves none. */
  readonly probes?: StartOptions['probes'] | false
  /** The number of replicas: with more than one, a Lease decides which one works. */
  readonly replicas?: number | undefined
  /**
   * Leader election even with one replica: a Deployment that replaces its pod has two for a short
   * time. `false` disables it, even when `LEADER_ELECTION` is set.
   */
  readonly election?: Partial<ElectionSettings> | false | undefined
}

const portDefault = 8081
const webhooksPortDefault = 9443

/**
 * The options of `start`, from the options of a main file and the environment. The options of the
 * file take precedence.
 */
export function startOptionsOf(
  operators: readonly AnyOperator[],
  options: RunOptions,
  host: Environment,
): StartOptions {
  const { probes, replicas, election, ...others } = options
  const httpSources = options.httpSources ?? httpSourcesOf(host)
  const webhooks = options.webhooks ?? webhooksOf(host)
  const namespaces = options.namespaces ?? watchedNamespaces(host)
  return {
    ...others,
    namespaces,
    ...(webhooks === undefined ? {} : { webhooks }),
    ...(httpSources === undefined ? {} : { httpSources }),
    ...(probes === false
      ? {}
      : {
          probes: { hostname: listenHost(host), ...probes, port: probes?.port ?? probesPort(host) },
        }),
    ...(hasElection({ replicas, election }, host)
      ? {
          election: {
            name: namedLease(host) ?? leaseName(operators, namespaces),
            ...(election === false ? {} : election),
          },
        }
      : {}),
  }
}

function hasElection(
  { replicas, election }: Pick<RunOptions, 'replicas' | 'election'>,
  host: Environment,
): boolean {
  if (election !== undefined) return election !== false
  if (replicas !== undefined) return replicas > 1
  const text = host.env('LEADER_ELECTION') ?? ''
  if (text === '' || text === 'false') return false
  if (text === 'true') return true
  throw invalid(`LEADER_ELECTION is ${JSON.stringify(text)}`, 'give true or false, or leave it out')
}

/**
 * The name of the Lease, for manifests that do not know the namespaces: a Helm chart whose values
 * select them, an OLM bundle whose OperatorGroup does. Their Role must name the Lease.
 */
function namedLease(host: Environment): string | undefined {
  const name = host.env('LEASE_NAME') ?? ''
  if (name === '') return undefined
  if (/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/.test(name)) return name
  throw invalid(
    `LEASE_NAME is ${JSON.stringify(name)}, not the name of a Lease`,
    'give lower-case letters, digits, hyphens and dots, or leave it out',
  )
}

/** The plural of Operator SDK's variable; the names are checked where they are used. */
function watchedNamespaces(host: Environment): readonly string[] | undefined {
  const text = host.env('WATCH_NAMESPACES') ?? ''
  return text === '' ? undefined : text.split(',').map((name) => name.trim())
}

function probesPort(host: Environment): number {
  return (
    portOf(host, 'PROBES_PORT', `give a number up to 65535, or leave it out for ${portDefault}`) ??
    portDefault
  )
}

function httpSourcesOf(host: Environment): StartOptions['httpSources'] {
  const port = portOf(host, 'HTTP_SOURCES_PORT', 'give a number up to 65535')
  return port === undefined ? undefined : { hostname: listenHost(host), port }
}

/** The generated manifests set these variables: `WEBHOOKS_SERVICE` is `namespace/name`. */
function webhooksOf(host: Environment): StartOptions['webhooks'] {
  const service = host.env('WEBHOOKS_SERVICE') ?? ''
  const url = host.env('WEBHOOKS_URL') ?? ''
  const certificates = host.env('WEBHOOKS_CERTIFICATES') ?? ''
  if (service === '' && url === '') return undefined
  const [, namespace = '', name = ''] = /^([^/]+)\/([^/]+)$/.exec(service) ?? []
  if (service !== '' && name === '') {
    const text = JSON.stringify(service)
    throw invalid(
      `WEBHOOKS_SERVICE is ${text}`,
      'give the namespace and the name: team/my-webhooks',
    )
  }
  return {
    hostname: listenHost(host),
    port: portOf(host, 'WEBHOOKS_PORT', 'give a number up to 65535') ?? webhooksPortDefault,
    ...(name === '' ? {} : { service: { name, namespace } }),
    ...(url === '' ? {} : { url }),
    ...(certificates === '' ? {} : { certificates }),
  }
}

/**
 * All addresses, because a pod has its own address; on a shared machine each process can be given
 * one.
 */
function listenHost(host: Environment): string {
  const text = host.env('LISTEN_HOST') ?? ''
  return text === '' ? '0.0.0.0' : text
}

function portOf(host: Environment, name: string, hint: string): number | undefined {
  const text = host.env(name) ?? ''
  if (text === '') return undefined
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw invalid(`${name} is ${JSON.stringify(text)}, not a port`, hint)
}

function invalid(problem: string, hint: string): SetpointError {
  return new SetpointError('PROCESS_INVALID', problem, { hint })
}
