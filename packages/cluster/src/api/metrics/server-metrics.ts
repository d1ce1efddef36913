import type { Clock } from 'setpoint/host'
import { isTruthy, type RequestInfo } from '../http/request-info.ts'
import type { ServedResource } from '../resources/served-resource.ts'
import type { HistogramSeries, MetricSeries, NumberSeries } from './metric-series.ts'

const applyType = 'application/apply-patch+yaml'
const reportedMethods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
const connects: ReadonlySet<string> = new Set(['exec', 'attach', 'portforward', 'proxy', 'log'])
const readVerbs: ReadonlySet<string> = new Set(['get', 'list', 'watch'])

/** A request that reached its handler. */
export interface ObservedRequest {
  readonly info: RequestInfo
  readonly contentType: string
}

/** The answer of it. */
interface ObservedAnswer {
  readonly code: number
  readonly startMs: number
  /** The characters of the body; undefined for a stream. */
  readonly size: number | undefined
}

/** The series of all requests with the same labels. */
interface RequestSeries {
  readonly labels: readonly string[]
  readonly dryRun: string
  readonly byCode: Map<number, NumberSeries>
  readonly durations: HistogramSeries
  readonly sliDurations: HistogramSeries
  readonly sizes: HistogramSeries | undefined
}

/** Counts what a request costs and returns; a request costs one lookup. */
export class ServerMetrics {
  readonly #clock: Pick<Clock, 'monotonicMs'>
  readonly #series: MetricSeries
  readonly #requests = new Map<string, RequestSeries>()
  readonly #inFlight: Readonly<Record<'mutating' | 'readOnly', PeakGauge>>

  constructor(clock: Pick<Clock, 'monotonicMs'>, series: MetricSeries) {
    this.#clock = clock
    this.#series = series
    this.#inFlight = { mutating: new PeakGauge(), readOnly: new PeakGauge() }
  }

  /** A request begins; the returned function ends it. Watches are not counted here. */
  begin(info: RequestInfo, startMs: number): () => void {
    const gauge = this.#inFlight[readVerbs.has(info.verb) ? 'readOnly' : 'mutating']
    gauge.increase(startMs)
    return () => gauge.decrease(this.#clock.monotonicMs())
  }

  answered(request: ObservedRequest, { code, startMs, size }: ObservedAnswer): void {
    const series = this.#seriesOf(request)
    let counter = series.byCode.get(code)
    if (counter === undefined) {
      const [component = '', ...rest] = series.labels
      const values = [String(code), component, series.dryRun, ...rest]
      counter = this.#series.number('requests', values)
      series.byCode.set(code, counter)
    }
    counter.value += 1
    const seconds = Math.max(0, this.#clock.monotonicMs() - startMs) / 1000
    series.durations.observe(seconds)
    series.sliDurations.observe(seconds)
    if (size !== undefined) series.sizes?.observe(size)
    if (code === 429 || code === 504) {
      this.#series.number('terminations', [String(code), ...series.labels]).value += 1
    }
  }

  /** The gauge of active watches like this one. */
  longRunning(request: ObservedRequest): NumberSeries {
    return this.#series.number('longRunning', this.#seriesOf(request).labels)
  }

  /** Counts the events that watches of a resource send. */
  watchEvents({ group, version, plural }: ServedResource): (bytes: number) => void {
    const counter = this.#series.number('watchEvents', [group, plural, version])
    const sizes = this.#series.histogram('watchEventSizes', [group, plural, version])
    return (bytes) => {
      counter.value += 1
      sizes.observe(bytes)
    }
  }

  /** A request was executed by the FlowSchema. */
  dispatched(schema: string, level: string): NumberSeries {
    return this.#series.number('dispatched', [schema, level])
  }

  /** An operation of the store. */
  stored(
    operation: 'create' | 'update' | 'delete',
    { group, plural }: ServedResource,
    startMs: number,
  ): void {
    const labels = [group, operation, plural]
    const seconds = Math.max(0, this.#clock.monotonicMs() - startMs) / 1000
    this.#series.number('etcdRequests', labels).value += 1
    this.#series.histogram('etcdDurations', labels).observe(seconds)
    this.#series.number('watchCacheEvents', [group, plural]).value += 1
    this.#series.number('watchCacheDispatched', [group, plural]).value += 1
  }

  /** Brings the gauges up to date, before they are printed. */
  refresh(): void {
    const nowMs = this.#clock.monotonicMs()
    for (const [kind, gauge] of Object.entries(this.#inFlight)) {
      this.#series.number('inFlight', [kind]).value = gauge.peak(nowMs)
    }
  }

  #seriesOf({ info, contentType }: ObservedRequest): RequestSeries {
    const verb = reportedVerb(info, contentType)
    const dryRun = dryRunOf(info.query)
    const scope = scopeOf(info)
    const { group, version, resource, subresource, path, isResource } = info
    const key = isResource
      ? `${verb}\n${group}\n${version}\n${resource}\n${subresource}\n${scope}\n${dryRun}`
      : `${verb}\n${path}\n${dryRun}`
    const known = this.#requests.get(key)
    if (known !== undefined) return known
    const labels = isResource
      ? ['apiserver', group, resource, scope, subresource, verb, version]
      : ['', '', '', '', path, verb, '']
    const [component = '', ...rest] = labels
    const made: RequestSeries = {
      labels,
      dryRun,
      byCode: new Map(),
      durations: this.#series.histogram('durations', [component, dryRun, ...rest]),
      sliDurations: this.#series.histogram('sliDurations', labels),
      sizes:
        verb === 'GET' || verb === 'LIST' ? this.#series.histogram('sizes', labels) : undefined,
    }
    this.#requests.set(key, made)
    return made
  }
}

/** The verb of the labels: the method, with a few more. */
function reportedVerb(info: RequestInfo, contentType: string): string {
  const { method, isResource, subresource, verb } = info
  if (isResource && connects.has(subresource)) return 'CONNECT'
  if (verb === 'watch' || (method === 'GET' && isTruthy(info.query, 'watch'))) return 'WATCH'
  if (method === 'PATCH' && contentType === applyType) return 'APPLY'
  if (method === 'GET' && isResource && scopeOf(info) !== 'resource') return 'LIST'
  return reportedMethods.has(method) ? method : 'other'
}

function scopeOf({ isResource, name, verb, namespace }: RequestInfo): string {
  if (!isResource) return ''
  if (name !== '' || verb === 'create') return 'resource'
  return namespace === '' ? 'cluster' : 'namespace'
}

function dryRunOf(query: URLSearchParams): string {
  const values = query.getAll('dryRun')
  if (values.length === 0) return ''
  return values.every((value) => value === 'All') ? 'All' : 'invalid'
}

/** The largest value of a gauge in the last second. */
class PeakGauge {
  #current = 0
  #peak = 0
  #second = 0

  increase(nowMs: number): void {
    this.#current += 1
    this.#roll(nowMs)
    this.#peak = Math.max(this.#peak, this.#current)
  }

  decrease(nowMs: number): void {
    this.#roll(nowMs)
    this.#current -= 1
  }

  peak(nowMs: number): number {
    this.#roll(nowMs)
    return this.#peak
  }

  #roll(nowMs: number): void {
    const second = Math.floor(nowMs / 1000)
    if (second === this.#second) return
    this.#second = second
    this.#peak = this.#current
  }
}
