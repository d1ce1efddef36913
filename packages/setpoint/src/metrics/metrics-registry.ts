import { SetpointError } from '../errors/index.ts'
import { Counter } from './counter.ts'
import { helpText } from './exposition.ts'
import { Gauge } from './gauge.ts'
import { Histogram, type HistogramOptions } from './histogram.ts'
import type { MetricOptions } from './labelled-series.ts'

/** The part of a metric that the registry needs to write it. */
interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly options: MetricOptions<string>
  lines(): string[]
}

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const labelName = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/

/**
 * The metrics of a process. There is no global registry, so that two processes in one program or
 * test do not mix.
 */
export class MetricsRegistry {
  readonly #metrics = new Map<string, Metric>()
  readonly #collectors = new Set<() => void>()

  /**
   * A counter. A second call with the same options returns the same metric; other options are
   * refused.
   */
  counter<const Name extends string = never>(options: MetricOptions<Name>): Counter<Name> {
    return this.#added(new Counter(options))
  }

  gauge<const Name extends string = never>(options: MetricOptions<Name>): Gauge<Name> {
    return this.#added(new Gauge(options))
  }

  histogram<const Name extends string = never>(options: HistogramOptions<Name>): Histogram<Name> {
    return this.#added(new Histogram(options))
  }

  /**
   * Calls back before every scrape, to set values that are cheaper to read than to follow. Returns
   * a function that stops it.
   */
  onCollect(collect: () => void): () => void {
    this.#collectors.add(collect)
    return () => void this.#collectors.delete(collect)
  }

  /** All metrics in Prometheus' text format. Metrics without series are omitted. */
  text(): string {
    for (const collect of this.#collectors) collect()
    const lines = [...this.#metrics.values()].flatMap((metric) => {
      const samples = metric.lines()
      if (samples.length === 0) return []
      const { name, help } = metric.options
      return [`# HELP ${name} ${helpText(help)}`, `# TYPE ${name} ${metric.type}`, ...samples]
    })
    return lines.map((line) => `${line}\n`).join('')
  }

  #added<M extends Metric>(metric: M): M {
    const { name, labels = [] } = metric.options
    const known = this.#metrics.get(name)
    // A function that runs often may ask for its metric each time.
    if (known !== undefined && isSame(known, metric)) return known as M
    if (!metricName.test(name)) throw invalid(`${name} is not a metric name`)
    for (const label of labels) {
      if (!labelName.test(label)) throw invalid(`${name}: ${label} is not a label name`)
    }
    if (new Set(labels).size < labels.length) throw invalid(`${name}: a label occurs twice`)
    const taken = [...seriesNames(metric)].find((series) => this.#isTaken(series))
    if (taken !== undefined) throw invalid(`${name}: a metric named ${taken} already exists`)
    this.#metrics.set(name, metric)
    return metric
  }

  #isTaken(name: string): boolean {
    return [...this.#metrics.values()].some((metric) => seriesNames(metric).has(name))
  }
}

function isSame(left: Metric, right: Metric): boolean {
  const textOf = ({ type, options }: Metric): string => JSON.stringify([type, options])
  return textOf(left) === textOf(right)
}

/** The names of a metric's series; a histogram has several. */
function seriesNames({ type, options: { name } }: Metric): Set<string> {
  const suffixes = type === 'histogram' ? ['_bucket', '_sum', '_count'] : []
  return new Set([name, ...suffixes.map((suffix) => name + suffix)])
}

function invalid(message: string): SetpointError {
  return new SetpointError('METRIC_INVALID', message, {
    hint: 'see https://prometheus.io/docs/practices/naming',
  })
}
