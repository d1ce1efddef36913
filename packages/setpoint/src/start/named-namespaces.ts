import type { Client } from '../client/index.ts'
import { isSetpointError } from '../errors/index.ts'
import type { Host } from '../host/index.ts'
import { Namespace } from '../kinds/index.ts'
import { type Logger, plainError } from '../log/index.ts'
import type { ReadinessCheck } from '../metrics/index.ts'
import type { AnyOperator } from '../operator/index.ts'

/** The dependencies of `NamedNamespaces`. */
interface NamedNamespacesOptions {
  readonly host: Host
  readonly client: Client
  readonly log: Logger
  /** Aborted when the process ends. */
  readonly signal: AbortSignal
}

/** How often a missing namespace is read again. */
const checkMs = 30_000

/**
 * The namespaces that operators name in their option `namespaces`. A server answers a list in a
 * namespace that does not exist with no objects, so a misspelt name would leave an operator ready
 * and idle. Each name is read once at the start, and again while it is missing. A refused read is not
 * reported: the Role of a missing namespace cannot exist, so its watches fail.
 */
export class NamedNamespaces {
  readonly #options: NamedNamespacesOptions
  readonly #namesOf: ReadonlyMap<string, readonly string[]>
  readonly #missing = new Set<string>()

  constructor(operators: readonly AnyOperator[], options: NamedNamespacesOptions) {
    this.#options = options
    this.#namesOf = new Map(
      operators.flatMap(({ declaration: { options: declared } }) =>
        Array.isArray(declared.namespaces)
          ? [[declared.name, declared.namespaces as readonly string[]]]
          : [],
      ),
    )
  }

  /** Reads the namespaces until all exist. It never rejects. */
  async check(): Promise<void> {
    const { host, log, signal } = this.#options
    let left = [...new Set([...this.#namesOf.values()].flat())]
    try {
      for (;;) {
        left = await this.#missingOf(left)
        if (left.length === 0) return
        await host.sleep(checkMs, signal)
      }
    } catch (error) {
      if (isSetpointError(error, 'ABORTED')) return
      log.debug({ err: plainError(error, { stack: false }) }, 'cannot read the namespaces')
    }
  }

  /** An operator without any existing namespace is not ready; otherwise missing ones are a note. */
  readiness(): ReadinessCheck[] {
    return [...this.#namesOf].flatMap(([name, names]) => {
      const missing = names.filter((each) => this.#missing.has(each))
      if (missing.length === 0) return []
      const text = missing.map((each) => `the namespace ${each} does not exist`).join(', ')
      const isIdle = missing.length === names.length
      return [
        {
          name: `namespaces of ${name}`,
          problem: isIdle ? text : undefined,
          note: isIdle ? undefined : text,
        },
      ]
    })
  }

  async #missingOf(names: readonly string[]): Promise<string[]> {
    const { client, log, signal } = this.#options
    const missing: string[] = []
    for (const namespace of names) {
      if ((await client.find(Namespace, namespace, { signal })) !== undefined) {
        if (this.#missing.delete(namespace)) log.info({ namespace }, 'the namespace exists now')
        continue
      }
      missing.push(namespace)
      if (this.#missing.has(namespace)) continue
      this.#missing.add(namespace)
      log.warn({ namespace }, 'the namespace does not exist: its objects are served once it does')
    }
    return missing
  }
}
