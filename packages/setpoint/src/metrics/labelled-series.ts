import { labelText } from './exposition.ts'

/** A value for every label of a metric. */
export type Labels<Name extends string> = Readonly<Record<Name, string>>

/** The definition of every metric. */
export interface MetricOptions<Name extends string> {
  readonly name: string
  /** One sentence; it is part of the scraped text. */
  readonly help: string
  readonly labels?: readonly Name[] | undefined
  /** How many label sets are kept, 1,000 by default. Others are counted together. */
  readonly seriesMax?: number | undefined
}

/** The default limit of label sets. */
const seriesMaxDefault = 1_000

/** The longest label value; longer ones are cut. */
const labelCharsMax = 256

/** The label value for everything beyond the limit, as in controller-runtime. */
const overflowValue = 'exceeded_cardinality_limit'

/** A tree of label values. */
interface Shortcut<Value> {
  readonly next: Map<string, Shortcut<Value>>
  value: Value | undefined
}

/**
 * The values of a metric by label set. Label values may come from outside, so their number is
 * limited.
 */
export class LabelledSeries<Name extends string, Value> {
  readonly #names: readonly Name[]
  readonly #seriesMax: number
  readonly #create: () => Value
  /** The values by the text between the braces, in order of appearance. */
  readonly #values = new Map<string, Value>()
  /**
   * The values as a tree of label values: every reconcile and request finds its series without
   * building a text.
   */
  #shortcuts: Shortcut<Value> = { next: new Map(), value: undefined }
  #overflow: Value | undefined

  constructor(options: MetricOptions<Name>, create: () => Value) {
    this.#names = options.labels ?? []
    this.#seriesMax = options.seriesMax ?? seriesMaxDefault
    this.#create = create
  }

  /** The value of a label set, created if needed; `undefined` beyond the limit. */
  find(labels: Labels<Name>): Value | undefined {
    let place: Shortcut<Value> | undefined = this.#shortcuts
    for (const name of this.#names) place = place?.next.get(labels[name])
    if (place?.value !== undefined) return place.value
    const value = this.#find(labels)
    if (value !== undefined) this.#remember(labels, value)
    return value
  }

  /** Limited like the series; cut values are not kept, because there may be any number of them. */
  #remember(labels: Labels<Name>, value: Value): void {
    let place = this.#shortcuts
    for (const name of this.#names) {
      const text = labels[name]
      if (text.length > labelCharsMax) return
      const next = place.next.get(text) ?? { next: new Map(), value: undefined }
      place.next.set(text, next)
      place = next
    }
    place.value = value
  }

  #find(labels: Labels<Name>): Value | undefined {
    const text = this.#names
      .map((name) => labelText(name, labels[name].slice(0, labelCharsMax)))
      .join(',')
    const known = this.#values.get(text)
    if (known !== undefined || this.#values.size >= this.#seriesMax) return known
    const value = this.#create()
    this.#values.set(text, value)
    return value
  }

  /** The value of a label set, or the shared one beyond the limit. */
  findOrShared(labels: Labels<Name>): Value {
    return this.find(labels) ?? (this.#overflow ??= this.#create())
  }

  /** All values, with the text between the braces. */
  *entries(): Generator<[string, Value], void, undefined> {
    yield* this.#values
    if (this.#overflow === undefined) return
    yield [this.#names.map((name) => labelText(name, overflowValue)).join(','), this.#overflow]
  }

  clear(): void {
    this.#values.clear()
    this.#shortcuts = { next: new Map(), value: undefined }
    this.#overflow = undefined
  }
}
