import { sampleLine } from './exposition.ts'
import { LabelledSeries, type Labels, type MetricOptions } from './labelled-series.ts'

/** Says how something is now. */
export class Gauge<Name extends string = never> {
  readonly type = 'gauge'
  readonly options: MetricOptions<Name>
  readonly #series: LabelledSeries<Name, { value: number }>

  constructor(options: MetricOptions<Name>) {
    this.options = options
    this.#series = new LabelledSeries(options, () => ({ value: 0 }))
  }

  /** Beyond the bound on series it is dropped: unlike counts, the present has no sum. */
  set(labels: Labels<Name>, value: number): void {
    const series = this.#series.find(labels)
    if (series !== undefined) series.value = value
  }

  /** Forgets all series, so that what no longer exists is not reported for ever. */
  clear(): void {
    this.#series.clear()
  }

  lines(): string[] {
    return Array.from(this.#series.entries(), ([labels, { value }]) =>
      sampleLine(this.options.name, labels, value),
    )
  }
}
