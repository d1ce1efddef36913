import { SetpointError } from '../errors/index.ts'
import { sampleLine } from './exposition.ts'
import { LabelledSeries, type Labels, type MetricOptions } from './labelled-series.ts'

/** Counts what happened; it never goes down. */
export class Counter<Name extends string = never> {
  readonly type = 'counter'
  readonly options: MetricOptions<Name>
  readonly #series: LabelledSeries<Name, { total: number }>

  constructor(options: MetricOptions<Name>) {
    this.options = options
    this.#series = new LabelledSeries(options, () => ({ total: 0 }))
  }

  /** Adds one, or the given number; adding 0 makes the series visible before anything happened. */
  add(labels: Labels<Name>, count = 1): void {
    if (!(count >= 0 && count < Infinity)) {
      throw new SetpointError('METRIC_INVALID', `${this.options.name} cannot count ${count}`, {
        hint: 'a counter only goes up; use a gauge for what also goes down',
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
