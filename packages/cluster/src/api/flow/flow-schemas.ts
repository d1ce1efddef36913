import type { Timers } from 'setpoint/host'
import type { FlowSchema, PriorityLevelConfiguration } from 'setpoint/kinds'
import type { UserInfo } from '../../auth/index.ts'
import type { Store } from '../../store/index.ts'
import type { RequestInfo } from '../http/request-info.ts'
import type { NumberSeries } from '../metrics/metric-series.ts'
import type { ServerMetrics } from '../metrics/server-metrics.ts'
import { matchesFlowSchema } from './matches-flow-schema.ts'
import { type LevelLimits, PriorityLevel } from './priority-level.ts'

const schemasBucket = 'flowcontrol.apiserver.k8s.io/flowschemas'
const levelsBucket = 'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations'

/** Long requests other than watches are not limited on a real server. */
const unlimited: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward'])

/** Clients with many names or paths must not fill the memory. */
const cachedMax = 2000

interface FlowContext {
  readonly host: Timers
  readonly store: Store
  readonly metrics: ServerMetrics
}

/** A FlowSchema with what its requests are answered with. */
interface Flow {
  /** Undefined if its requests are not limited. */
  readonly level: PriorityLevel | undefined
  readonly schema: FlowSchema
  readonly headers: Readonly<Record<string, string>>
  readonly dispatched: NumberSeries
}

/**
 * The FlowSchema of each request, and the seats of its priority level. Clients see both in the
 * headers of answers.
 */
export class FlowSchemas {
  readonly #host: Timers
  readonly #store: Store
  readonly #metrics: ServerMetrics
  readonly #cached = new Map<string, Flow | undefined>()
  #flows: readonly Flow[] | undefined

  constructor({ host, store, metrics }: FlowContext) {
    this.#host = host
    this.#store = store
    this.#metrics = metrics
  }

  /** Forgets what depends on a changed object. */
  changed(bucket: string): void {
    if (bucket !== schemasBucket && bucket !== levelsBucket) return
    this.#flows = undefined
    this.#cached.clear()
  }

  /** The FlowSchema of a request; `undefined` if there is none. */
  of(user: UserInfo, info: RequestInfo): Pick<Flow, 'headers' | 'level'> | undefined {
    if (unlimited.has(info.subresource)) return undefined
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
    if (flow === undefined) return undefined
    flow.dispatched.value += 1
    return flow
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
    const configurations = this.#objects<PriorityLevelConfiguration>(levelsBucket)
    const seatsOf = seatsByShares(configurations)
    const levels = new Map(
      configurations.map((configuration) => {
        const { name, uid } = configuration.metadata
        const limits = levelLimits(configuration, seatsOf(configuration))
        return [name, { uid, level: limits && new PriorityLevel(this.#host, limits) }]
      }),
    )
    return this.#objects<FlowSchema>(schemasBucket)
      .flatMap((schema) => {
        const name = schema.spec.priorityLevelConfiguration.name
        const level = levels.get(name)
        if (level === undefined) return []
        const headers = {
          'x-kubernetes-pf-flowschema-uid': schema.metadata.uid,
          'x-kubernetes-pf-prioritylevel-uid': level.uid,
        }
        const dispatched = this.#metrics.dispatched(schema.metadata.name, name)
        return [{ schema, headers, dispatched, level: level.level }]
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

/** The seats of a real server with default flags: 400 for reads and 200 for writes. */
const seatsTotal = 600

/** The quarter of the time for a request that a real server lets it wait. */
const waitMsMax = 15_000

/** All levels share the seats; a level that is not limited takes none. */
function seatsByShares(
  levels: readonly PriorityLevelConfiguration[],
): (level: PriorityLevelConfiguration) => number {
  const sharesOf = ({ spec }: PriorityLevelConfiguration): number =>
    (spec.type === 'Exempt' ? spec.exempt : spec.limited)?.nominalConcurrencyShares ??
    (spec.type === 'Exempt' ? 0 : sharesDefault)
  const sum = levels.reduce((total, level) => total + sharesOf(level), 0)
  return (level) => Math.ceil((seatsTotal * sharesOf(level)) / Math.max(sum, 1))
}

const sharesDefault = 30

/** The limits of a level; `undefined` for one that is exempt. */
function levelLimits({ spec }: PriorityLevelConfiguration, seats: number): LevelLimits | undefined {
  if (spec.type === 'Exempt') return undefined
  const { type, queuing } = spec.limited?.limitResponse ?? {}
  if (type !== 'Queue') return { seats, waitingMax: 0, waitMsMax }
  // A flow uses a hand of queues on a real server.
  const { handSize = 8, queueLengthLimit = 50 } = queuing ?? {}
  return { seats, waitingMax: handSize * queueLengthLimit, waitMsMax }
}

function precedenceOf({ spec }: FlowSchema): number {
  return spec.matchingPrecedence ?? 0
}
