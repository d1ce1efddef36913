import { operator, type AnyOperator, type Kind, type RunningOperators } from 'setpoint'
import { APIService } from 'setpoint/kinds'
import { controllerOptions } from '../controller-options.ts'
import type { RemoteKinds } from '../served-kinds.ts'

interface RemoteCollectorOptions {
  readonly remoteKinds: () => RemoteKinds
  readonly collector: (kind: Kind) => AnyOperator
  readonly launch: (operators: readonly AnyOperator[]) => Promise<RunningOperators>
}

/** How often the kinds are compared with those that are watched, as the real collector does. */
const interval = '30s'

/** What an object of a kind needs to be collected. */
const neededVerbs = ['delete', 'list', 'watch']

/** Starts and stops the collectors of the kinds that other servers serve. */
export class RemoteCollectors {
  readonly #options: RemoteCollectorOptions
  readonly #running = new Map<string, Promise<RunningOperators>>()

  constructor(options: RemoteCollectorOptions) {
    this.#options = options
  }

  /** The operator that follows the APIServices of other servers. */
  operator(): AnyOperator {
    return operator(APIService, {
      ...controllerOptions,
      name: 'garbage-remote-kinds',
      filter: ({ object, old }) =>
        object.spec.service !== undefined || old?.spec.service !== undefined,
    })
      .onEvent(async ({ type }) => {
        if (type === 'removed') await this.#follow()
      })
      .reconcile(async () => {
        await this.#follow()
        return { recheckAfter: interval }
      })
  }

  async #follow(): Promise<void> {
    const { kinds, unknown } = this.#options.remoteKinds()
    const watchable = kinds.filter(({ verbs = [] }) =>
      neededVerbs.every((verb) => verbs.includes(verb)),
    )
    const wanted = new Map(watchable.map((kind) => [idOf(kind), kind]))
    for (const [id, running] of [...this.#running]) {
      // The kinds of a server that does not answer stay as they were.
      if (wanted.has(id) || unknown.includes(id.split(' ')[0] ?? '')) continue
      this.#running.delete(id)
      await (await running).stop()
    }
    for (const [id, kind] of wanted) {
      if (this.#running.has(id)) continue
      // Not awaited: it is complete when the other server has answered a list.
      this.#running.set(id, this.#options.launch([this.#options.collector(kind)]))
    }
  }
}

function idOf({ apiVersion, plural }: Kind): string {
  return `${apiVersion} ${plural}`
}
