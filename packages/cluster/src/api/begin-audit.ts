import type { ServerRequest, ServerResponse } from 'setpoint/host'
import { type AuditedRequest, type AuditLog, sourceAddresses } from '../audit/index.ts'
import type { Authorizer, UserInfo } from '../auth/index.ts'
import { isLongRunning } from './http/long-running.ts'
import type { RequestInfo } from './http/request-info.ts'

/** Begins the audit of a request, after its user is known or could not be found. */
export function beginAudit(
  log: AuditLog,
  { incoming, info }: { readonly incoming: ServerRequest; readonly info: RequestInfo },
  known: { readonly auditId: string; readonly user: UserInfo | undefined; receivedMs: number },
): AuditedRequest | undefined {
  const { group, version, resource, subresource, namespace, verb, isResource, path } = info
  const name = info.name === '' ? info.selectedName : info.name
  const object = { group, version, resource, subresource, namespace, name }
  return log.begin(
    {
      ...known,
      verb,
      uri: incoming.path,
      sourceAddresses: sourceAddresses(incoming.headers, incoming.peer.address),
      userAgent: incoming.headers['user-agent'] ?? '',
      object: isResource ? object : undefined,
    },
    { user: known.user, verb, isResource, path, ...object },
  )
}

/** The authorizer of a request, whose decision becomes an annotation. */
export function auditedAuthorizer(authorizer: Authorizer, audit: AuditedRequest): Authorizer {
  return {
    rulesFor: (user, namespace) => authorizer.rulesFor(user, namespace),
    authorize: (attributes) => {
      const decision = authorizer.authorize(attributes)
      audit.annotate('authorization.k8s.io/decision', decision.isAllowed ? 'allow' : 'forbid')
      audit.annotate('authorization.k8s.io/reason', decision.reason)
      return decision
    },
  }
}

/** How a request ended. */
interface AuditEnd {
  readonly info: RequestInfo
  /** It has no user. */
  readonly isRefused: boolean
  /** An error that the server does not expect. */
  readonly isPanic: boolean
}

/** Writes the last events of a request; those of a stream follow when it ends. */
export function endAudit(
  audit: AuditedRequest,
  response: ServerResponse,
  { info, isRefused, isPanic }: AuditEnd,
): ServerResponse {
  const { status, body } = response
  const isLong = isLongRunning(info)
  // A request without a user ends before the filter that writes the last event.
  if (isRefused || isLong) audit.stage('ResponseStarted', status)
  if (isRefused) return response
  if (isLong && typeof body === 'object' && Symbol.asyncIterator in body) {
    return { ...response, body: untilEnd(body, () => audit.stage('ResponseComplete', status)) }
  }
  audit.stage(isPanic ? 'Panic' : 'ResponseComplete', status)
  return response
}

async function* untilEnd(
  body: AsyncIterable<Uint8Array>,
  ended: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } finally {
    ended()
  }
}
