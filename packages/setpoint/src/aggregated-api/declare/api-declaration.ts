import { SetpointError } from '../../errors/index.ts'
import { type Duration, limitMs } from '../../host/index.ts'
import type { Kind } from '../../kinds/kind.ts'
import type { ServedResource } from './serve-resource.ts'

/** The options of `serveApi`. */
export interface ServeApiOptions {
  /** All of one group and version; the APIService has the name `VERSION.GROUP`. */
  readonly resources: readonly ServedResource[]
  /** The kinds that the functions read with `client`, for the permissions of the process. */
  readonly reads?: readonly Kind[]
  /** The order of groups in discovery; 1000 unless given. */
  readonly groupPriority?: number
  /** The order of the versions of the group; 100 unless given. */
  readonly versionPriority?: number
  /** How long a function may take; 25 s unless given, and at most 30 s. */
  readonly timeout?: Duration
}

/** An aggregated API: the resources of one version of a group. */
export interface ApiDeclaration {
  readonly group: string
  readonly version: string
  readonly resources: readonly ServedResource[]
  readonly reads: readonly Kind[]
  readonly groupPriority: number
  readonly versionPriority: number
  readonly timeoutMs: number
}

const timeoutDefault = '25s'

/** Less than the limit of an exchange, so that the client gets an answer. */
const timeoutMsMax = 30_000

/** Checks the options; throws `OPERATOR_INVALID`. */
export function apiDeclaration(options: ServeApiOptions): ApiDeclaration {
  const { resources, reads = [], groupPriority = 1000, versionPriority = 100 } = options
  const [first] = resources
  if (first === undefined) throw invalid('an aggregated API has no resources', 'add one')
  const { group, version } = first.definition
  for (const { definition, functions } of resources) {
    const { kind, apiVersion, versions } = definition
    if (definition.group !== group || definition.version !== version) {
      const problem = `${kind} is in ${apiVersion}, not in ${group}/${version}`
      throw invalid(problem, 'call serveApi for each version of a group')
    }
    if (versions.length > 1) {
      const problem = `${kind} has several versions: nothing is stored, so nothing is converted`
      throw invalid(problem, 'define and serve one resource for each version')
    }
    if (typeof functions.get !== 'function' || typeof functions.list !== 'function') {
      throw invalid(`${kind} has no function get or list`, 'kubectl needs both')
    }
  }
  const plurals = resources.map(({ definition }) => definition.plural)
  const twice = plurals.find((plural, index) => plurals.indexOf(plural) < index)
  if (twice !== undefined) throw invalid(`${twice} is served twice`, 'remove one of them')
  const timeoutMs = limitMs(options.timeout ?? timeoutDefault, 'timeout')
  if (timeoutMs > timeoutMsMax) throw invalid('the timeout is longer than 30 s', 'shorten it')
  return { group, version, resources, reads, groupPriority, versionPriority, timeoutMs }
}

function invalid(problem: string, hint: string): SetpointError {
  return new SetpointError('OPERATOR_INVALID', problem, { hint })
}
