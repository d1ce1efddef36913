import { sampleLine } from './exposition.ts'
import { LabelledSeries, type Labels, type MetricOptions } from './labelled-series.ts'

/** A current value. */
export class Gauge<Name extends string = never> {
  readonly type = 'gauge'
  readonly options: MetricOptions<Name>
  readonly #series: LabelledSeries<Name, { value: number }>

  constructor(options: MetricOptions<Name>) {
    this.options = options
    this.#series = new LabelledSeries(options, () => ({ value: 0 }))
  }

  /** Beyond the limit of series the value is dropped: unlike counts, gauges cannot be added up. */
  set(labels: Labels<Name>, value: number): void {
    const series = this.#series.find(labels)
    if (series !== undefined) series.value = value
  }

  /** Removes all series, so that deleted objects are not reported any more. */
  clear(): void {
    this.#series.clear()
  }

  lines(): string[] {
    return Array.from(this.#series.entries(), ([labels, { value }]) =>
      sampleLine(this.options.name, labels, value),
    )
  }
}
