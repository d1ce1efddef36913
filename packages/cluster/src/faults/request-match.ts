import type { Kind } from 'setpoint/kinds'

/** The verbs of requests for objects. */
export type FaultVerb =
  'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection'

/**
 * The requests that a fault is about: those to which all given fields apply. Requests of the
 * cluster's own controllers are matched only if `user` names them.
 */
export interface RequestMatch {
  readonly kind?: Pick<Kind, 'group' | 'plural'>
  readonly verb?: FaultVerb | readonly FaultVerb[]
  /** Empty for the object itself. */
  readonly subresource?: string
  readonly namespace?: string
  readonly name?: string
  /** The name of the user: `admin`, `system:serviceaccount:default:web`. */
  readonly user?: string
}

/** What a match reads of a request. */
export interface FaultedRequest {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  readonly query: URLSearchParams
  readonly user: string
}

/** The user of the controllers inside of the cluster. */
const componentUser = 'system:kube-controller-manager'

/** Whether a match applies to a request. */
export function matches(match: RequestMatch, request: FaultedRequest): boolean {
  const { kind, verb, subresource, namespace, name, user } = match
  if (user === undefined ? request.user === componentUser : request.user !== user) return false
  if (kind !== undefined && (kind.group !== request.group || kind.plural !== request.resource)) {
    return false
  }
  return (
    (verb === undefined || verbsOf(verb).includes(request.verb)) &&
    (subresource === undefined || subresource === request.subresource) &&
    (namespace === undefined || namespace === request.namespace) &&
    (name === undefined || name === request.name)
  )
}

/** The verbs of a match as a list. */
export function verbsOf(verb: FaultVerb | readonly FaultVerb[]): readonly string[] {
  return typeof verb === 'string' ? [verb] : verb
}
