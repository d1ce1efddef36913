import { SetpointError } from '../errors/index.ts'
import type { Environment } from '../host/index.ts'
import type { AnyOperator } from '../operator/index.ts'
import type { StartOptions } from './start-options.ts'

/** How a main file runs operators; everything has a default that suits a pod. */
export interface RunOptions extends Omit<StartOptions, 'probes' | 'election'> {
  /** On 0.0.0.0:8081, or the port that `PROBES_PORT` has, unless given; `false` serves none. */
  readonly probes?: StartOptions['probes'] | false
  /** How many copies of the process there are: with more than one, a Lease decides which one works. */
  readonly replicas?: number | undefined
  /** An election even of one: a Deployment that replaces its pod has two for a moment. */
  readonly election?:
    { readonly name?: string; readonly namespace?: string; readonly identity?: string } | undefined
}

const portDefault = 8081

/** What `start` is to do, from what a main file and its environment say. */
export function startOptionsOf(
  operators: readonly AnyOperator[],
  options: RunOptions,
  host: Environment,
): StartOptions {
  const { probes, replicas = 1, election, ...others } = options
  const hasElection = election !== undefined || replicas > 1
  return {
    ...others,
    ...(probes === false
      ? {}
      : { probes: { hostname: '0.0.0.0', ...probes, port: probes?.port ?? portOf(host) } }),
    ...(hasElection ? { election: { name: leaseName(operators), ...election } } : {}),
  }
}

function portOf(host: Environment): number {
  const text = host.env('PROBES_PORT') ?? ''
  if (text === '') return portDefault
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new SetpointError('PROCESS_INVALID', `PROBES_PORT is ${JSON.stringify(text)}, not a port`, {
    hint: 'give a number up to 65535, or leave it out for 8081',
  })
}

const nameCharactersMax = 200

/** The name of the Lease: the same for all copies of a process, because they have the same operators. */
function leaseName(operators: readonly AnyOperator[]): string {
  const names = operators.map(({ declaration }) => declaration.options.name).sort()
  const name = names
    .join('-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]+/g, '-')
    .slice(0, nameCharactersMax)
    .replaceAll(/^[.-]+|[.-]+$/g, '')
  return name === '' ? 'setpoint' : name
}
