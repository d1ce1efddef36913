import { isApiError } from '../../client/index.ts'
import { RetryLaterError } from '../../controller/index.ts'
import type { Clock } from '../../host/index.ts'

/** How long no object is created in a namespace after the server refused it. */
const pauseMs = 10_000

/**
 * The namespaces that are being deleted, as far as the server refused to create objects in them. The
 * deletion of each child would otherwise cause a create that is refused, too. A namespace of the
 * same name may be created again, so the operator tries again after a pause.
 */
export class TerminatingNamespaces {
  readonly #host: Pick<Clock, 'monotonicMs'>
  readonly #untilMs = new Map<string, number>()

  constructor(host: Pick<Clock, 'monotonicMs'>) {
    this.#host = host
  }

  /** Creates an object, unless its namespace is being deleted. */
  async create<T>(namespace: string | undefined, create: () => Promise<T>): Promise<T> {
    if (namespace === undefined) return create()
    const leftMs = (this.#untilMs.get(namespace) ?? 0) - this.#host.monotonicMs()
    if (leftMs > 0) throw terminatingError(namespace, leftMs)
    try {
      const created = await create()
      this.#untilMs.delete(namespace)
      return created
    } catch (error) {
      if (!isNamespaceTerminating(error)) throw error
      this.#untilMs.set(namespace, this.#host.monotonicMs() + pauseMs)
      throw terminatingError(namespace, pauseMs)
    }
  }
}

function terminatingError(namespace: string, afterMs: number): RetryLaterError {
  return new RetryLaterError(`the namespace ${namespace} is being deleted`, { after: afterMs })
}

function isNamespaceTerminating(error: unknown): boolean {
  if (!isApiError(error, 'API_FORBIDDEN')) return false
  const { causes = [] } = error.status.details ?? {}
  return causes.some(({ reason }) => reason === 'NamespaceTerminating')
}
