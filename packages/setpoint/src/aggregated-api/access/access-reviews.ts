import type { Client } from '../../client/index.ts'
import type { Clock } from '../../host/index.ts'
import { SubjectAccessReview } from '../../kinds/index.ts'
import { refusals } from '../api-refusal.ts'
import { type ResourceRequest, subjectOf } from '../api-request.ts'
import type { ApiUser } from '../declare/served-types.ts'

/** How long a decision counts. */
const decisionMs = 10_000

const decisionsMax = 4096

interface Decision {
  readonly isAllowed: boolean
  readonly reason: string
}

interface KnownDecision {
  readonly decision: Promise<Decision>
  readonly expiresMs: number
}

/** Asks the API server whether users may do what they request, and remembers the answers. */
export class AccessReviews {
  readonly #host: Clock
  readonly #client: Client
  readonly #known = new Map<string, KnownDecision>()

  constructor(host: Clock, client: Client) {
    this.#host = host
    this.#client = client
  }

  /** Throws the refusal of a request that the user is not allowed to make. */
  async check(user: ApiUser, request: ResourceRequest): Promise<void> {
    if (user.groups.includes('system:masters')) return
    const { isAllowed, reason } = await this.#decision(user, request)
    if (isAllowed) return
    const { verb, namespace, resource } = request
    const { plural, group } = resource.definition
    const where =
      namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`
    const why = `User "${user.username}" cannot ${verb} resource "${plural}" in API group "${group}" ${where}`
    throw refusals.forbidden(subjectOf(request), reason === '' ? why : `${why}: ${reason}`)
  }

  #decision(user: ApiUser, request: ResourceRequest): Promise<Decision> {
    const { verb, namespace = '', name, resource } = request
    const { group, version, plural } = resource.definition
    const attributes = {
      verb,
      group,
      version,
      resource: plural,
      ...(namespace === '' ? {} : { namespace }),
      ...(name === '' ? {} : { name }),
    }
    const key = JSON.stringify([user, attributes])
    const nowMs = this.#host.monotonicMs()
    const known = this.#known.get(key)
    if (known !== undefined && known.expiresMs > nowMs) return known.decision
    const decision = this.#ask(user, attributes)
    this.#known.delete(key)
    this.#known.set(key, { decision, expiresMs: nowMs + decisionMs })
    const [oldest] = this.#known.keys()
    if (this.#known.size > decisionsMax && oldest !== undefined) this.#known.delete(oldest)
    // A failure is not an answer: the next request asks again.
    decision.catch(() => this.#known.delete(key))
    return decision
  }

  async #ask(
    { username, uid, groups, extra }: ApiUser,
    resourceAttributes: Readonly<Record<string, string>>,
  ): Promise<Decision> {
    const { status } = await this.#client.create(SubjectAccessReview, {
      metadata: {},
      spec: {
        user: username,
        groups: [...groups],
        extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])),
        ...(uid === undefined ? {} : { uid }),
        resourceAttributes,
      },
    })
    return { isAllowed: status?.allowed === true, reason: status?.reason ?? '' }
  }
}
