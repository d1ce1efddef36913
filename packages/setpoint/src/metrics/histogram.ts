import { SetpointError } from '../errors/index.ts'
import { labelText, numberText, sampleLine } from './exposition.ts'
import { LabelledSeries, type Labels, type MetricOptions } from './labelled-series.ts'

/** The definition of a histogram. */
export interface HistogramOptions<Name extends string> extends MetricOptions<Name> {
  /** The upper bounds in increasing order; +Inf is added. */
  readonly buckets: readonly number[]
}

interface Distribution {
  /** How many values each bucket has; the last one is above all bounds. */
  readonly counts: number[]
  sum: number
}

/** The distribution of a measured value, mostly durations. */
export class Histogram<Name extends string = never> {
  readonly type = 'histogram'
  readonly options: HistogramOptions<Name>
  readonly #series: LabelledSeries<Name, Distribution>

  constructor(options: HistogramOptions<Name>) {
    this.options = options
    checkBuckets(options)
    const length = options.buckets.length + 1
    this.#series = new LabelledSeries(options, () => ({
      counts: Array.from({ length }, () => 0),
      sum: 0,
    }))
  }

  observe(labels: Labels<Name>, value: number): void {
    if (Number.isNaN(value)) {
      throw new SetpointError('METRIC_INVALID', `${this.options.name} cannot observe NaN`)
    }
    const distribution = this.#series.findOrShared(labels)
    const bucket = this.options.buckets.findIndex((bound) => value <= bound)
    const index = bucket === -1 ? this.options.buckets.length : bucket
    distribution.counts[index] = (distribution.counts[index] ?? 0) + 1
    distribution.sum += value
  }

  /** Shows a series before the first observation. */
  prepare(labels: Labels<Name>): void {
    this.#series.findOrShared(labels)
  }

  lines(): string[] {
    return [...this.#series.entries()].flatMap(([labels, distribution]) =>
      this.#linesOf(labels, distribution),
    )
  }

  #linesOf(labels: string, { counts, sum }: Distribution): string[] {
    const { name, buckets } = this.options
    const prefix = labels === '' ? '' : `${labels},`
    let total = 0
    const lines = counts.map((count, index) => {
      total += count
      const bound = labelText('le', numberText(buckets[index] ?? Infinity))
      return sampleLine(`${name}_bucket`, prefix + bound, total)
    })
    return [
      ...lines,
      sampleLine(`${name}_sum`, labels, sum),
      sampleLine(`${name}_count`, labels, total),
    ]
  }
}

function checkBuckets({ name, buckets, labels = [] }: HistogramOptions<string>): void {
  const isRising = buckets.every(
    (bound, index) => Number.isFinite(bound) && bound > (buckets[index - 1] ?? -Infinity),
  )
  if (isRising && buckets.length > 0 && !labels.includes('le')) return
  throw new SetpointError('METRIC_INVALID', `${name} is not a valid histogram`, {
    hint: 'define at least one bucket, finite and in increasing order, and no label named le',
  })
}
