import { labelText } from './exposition.ts'

/** A value for every label of a metric. */
export type Labels<Name extends string> = Readonly<Record<Name, string>>

/** What every metric is defined by. */
export interface MetricOptions<Name extends string> {
  readonly name: string
  /** One sentence for people; it is part of what is scraped. */
  readonly help: string
  readonly labels?: readonly Name[] | undefined
  /** How many label sets are kept, 1,000 unless said otherwise. What is beyond is counted together. */
  readonly seriesMax?: number | undefined
}

/** How many label sets a metric keeps when its definition does not say. */
const seriesMaxDefault = 1_000

/** The longest label value; a longer one is cut. */
const labelCharsMax = 256

/** The label value of everything beyond the bound; controller-runtime has the same word. */
const overflowValue = 'exceeded_cardinality_limit'

/** What label values lead to, one after the other. */
interface Shortcut<Value> {
  readonly next: Map<string, Shortcut<Value>>
  value: Value | undefined
}

/** What a metric knows, by label set. Label values may come from outside, so their number is bounded. */
export class LabelledSeries<Name extends string, Value> {
  readonly #names: readonly Name[]
  readonly #seriesMax: number
  readonly #create: () => Value
  /** By what stands between the braces, in order of appearance. */
  readonly #values = new Map<string, Value>()
  /** The same by one label value after the other: every run and request looks for its own, and texts take long to make. */
  #shortcuts: Shortcut<Value> = { next: new Map(), value: undefined }
  #overflow: Value | undefined

  constructor(options: MetricOptions<Name>, create: () => Value) {
    this.#names = options.labels ?? []
    this.#seriesMax = options.seriesMax ?? seriesMaxDefault
    this.#create = create
  }

  /** The value of a label set, made if need be; `undefined` when there is no room for another one. */
  find(labels: Labels<Name>): Value | undefined {
    let place: Shortcut<Value> | undefined = this.#shortcuts
    for (const name of this.#names) place = place?.next.get(labels[name])
    if (place?.value !== undefined) return place.value
    const value = this.#find(labels)
    if (value !== undefined) this.#remember(labels, value)
    return value
  }

  /** As many as there are series; values that are cut could be any number. */
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

  /** The value of a label set, or the one that all share for which there is no room. */
  findOrShared(labels: Labels<Name>): Value {
    return this.find(labels) ?? (this.#overflow ??= this.#create())
  }

  /** Everything, with what stands between the braces. */
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
