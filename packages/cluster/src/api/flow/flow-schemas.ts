import type { FlowSchema, PriorityLevelConfiguration } from 'setpoint/kinds'
import type { UserInfo } from '../../auth/index.ts'
import type { Store } from '../../store/index.ts'
import type { RequestInfo } from '../http/request-info.ts'
import type { NumberSeries } from '../metrics/metric-series.ts'
import type { ServerMetrics } from '../metrics/server-metrics.ts'
import { matchesFlowSchema } from './matches-flow-schema.ts'

const schemasBucket = 'flowcontrol.apiserver.k8s.io/flowschemas'
const levelsBucket = 'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations'

/** Long requests other than watches are not limited on a real server. */
const unlimited: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward'])

/** Clients with many names or paths must not fill the memory. */
const cachedMax = 2000

/** A FlowSchema with what its requests are answered with. */
interface Flow {
  readonly schema: FlowSchema
  readonly headers: Readonly<Record<string, string>>
  readonly dispatched: NumberSeries
}

/**
 * The FlowSchema of each request. Requests are not queued here, but clients see in the headers of
 * answers which FlowSchema and priority level a real server would use.
 */
export class FlowSchemas {
  readonly #store: Store
  readonly #metrics: ServerMetrics
  readonly #cached = new Map<string, Flow | undefined>()
  #flows: readonly Flow[] | undefined

  constructor(store: Store, metrics: ServerMetrics) {
    this.#store = store
    this.#metrics = metrics
  }

  /** Forgets what depends on a changed object. */
  changed(bucket: string): void {
    if (bucket !== schemasBucket && bucket !== levelsBucket) return
    this.#flows = undefined
    this.#cached.clear()
  }

  /** The headers of an answer. */
  headersOf(user: UserInfo, info: RequestInfo): Readonly<Record<string, string>> {
    if (unlimited.has(info.subresource)) return {}
    const { verb, group, resource, subresource, namespace } = info
    const what = info.isResource
      ? `${group}\n${resource}\n${subresource}\n${namespace}`
      : `\n${info.path}`
    const key = `${user.name}\n${user.groups.join('\t')}\n${verb}\n${what}`
    let flow = this.#cached.get(key)
    if (flow === undefined && !this.#cached.has(key)) {
      flow = this.#find(user, info)
      if (this.#cached.size >= cachedMax) this.#cached.clear()
      this.#cached.set(key, flow)
    }
    if (flow === undefined) return {}
    flow.dispatched.value += 1
    return flow.headers
  }

  #find(user: UserInfo, info: RequestInfo): Flow | undefined {
    this.#flows ??= this.#read()
    return (
      this.#flows.find(({ schema }) => matchesFlowSchema(schema, user, info)) ??
      this.#flows.find(({ schema }) => schema.metadata.name === 'catch-all')
    )
  }

  /** In the order of precedence. Schemas without an existing level do not count. */
  #read(): Flow[] {
    const levels = new Map(
      this.#objects<PriorityLevelConfiguration>(levelsBucket).map(({ metadata }) => [
        metadata.name,
        metadata.uid,
      ]),
    )
    return this.#objects<FlowSchema>(schemasBucket)
      .flatMap((schema) => {
        const name = schema.spec.priorityLevelConfiguration.name
        const level = levels.get(name)
        if (level === undefined) return []
        const headers = {
          'x-kubernetes-pf-flowschema-uid': schema.metadata.uid,
          'x-kubernetes-pf-prioritylevel-uid': level,
        }
        const dispatched = this.#metrics.dispatched(schema.metadata.name, name)
        return [{ schema, headers, dispatched }]
      })
      .sort(
        (a, b) =>
          precedenceOf(a.schema) - precedenceOf(b.schema) ||
          (a.schema.metadata.name < b.schema.metadata.name ? -1 : 1),
      )
  }

  #objects<Kind>(bucket: string): Kind[] {
    return [...this.#store.list(bucket, '')].map(({ text }) => JSON.parse(`{${text}`) as Kind)
  }
}

function precedenceOf({ spec }: FlowSchema): number {
  return spec.matchingPrecedence ?? 0
}
