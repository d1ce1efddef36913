import { SetpointError } from '../errors/index.ts'
import { sampleLine } from './exposition.ts'
import { LabelledSeries, type Labels, type MetricOptions } from './labelled-series.ts'

/** A counter; it never decreases. */
export class Counter<Name extends string = never> {
  readonly type = 'counter'
  readonly options: MetricOptions<Name>
  readonly #series: LabelledSeries<Name, { total: number }>

  constructor(options: MetricOptions<Name>) {
    this.options = options
    this.#series = new LabelledSeries(options, () => ({ total: 0 }))
  }

  /** Adds one, or the given number; adding 0 shows the series before the first event. */
  add(labels: Labels<Name>, count = 1): void {
    if (!(count >= 0 && count < Infinity)) {
      throw new SetpointError('METRIC_INVALID', `${this.options.name} cannot count ${count}`, {
        hint: 'a counter only increases; use a gauge for a value that may decrease',
      })
    }
    this.#series.findOrShared(labels).total += count
  }

  lines(): string[] {
    return Array.from(this.#series.entries(), ([labels, { total }]) =>
      sampleLine(this.options.name, labels, total),
    )
  }
}
