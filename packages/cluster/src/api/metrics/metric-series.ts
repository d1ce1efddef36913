import { families, familyOf, type FamilyName } from './metric-family.ts'

/** A counter or a gauge. */
export interface NumberSeries {
  value: number
}

/** The distribution of observed values. */
export class HistogramSeries {
  readonly #bounds: readonly number[]
  readonly #counts: Float64Array
  #sum = 0

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = new Float64Array(bounds.length + 1)
  }

  observe(value: number): void {
    let index = 0
    while (index < this.#bounds.length && value > (this.#bounds[index] ?? 0)) index += 1
    this.#counts[index] = (this.#counts[index] ?? 0) + 1
    this.#sum += value
  }

  /** The lines of the text format, with the labels of the series. */
  lines(name: string, labels: string): string[] {
    let total = 0
    const prefix = labels === '' ? '' : `${labels},`
    const buckets = [...this.#counts].map((count, index) => {
      total += count
      const bound = this.#bounds[index]
      const le = bound === undefined ? '+Inf' : goFloat(bound)
      return `${name}_bucket{${prefix}le="${le}"} ${goFloat(total)}`
    })
    return [
      ...buckets,
      `${name}_sum{${labels}} ${goFloat(this.#sum)}`,
      `${name}_count{${labels}} ${goFloat(total)}`,
    ]
  }
}

/** All series of the server, by family and values of the labels. */
export class MetricSeries {
  readonly #numbers = new Map<FamilyName, Map<string, NumberSeries>>()
  readonly #histograms = new Map<FamilyName, Map<string, HistogramSeries>>()

  /** The counter or gauge with these values of its labels, in the order of the family. */
  number(name: FamilyName, values: readonly string[]): NumberSeries {
    return found(this.#numbers, name, {
      labels: labelsOf(name, values),
      make: () => ({ value: 0 }),
    })
  }

  histogram(name: FamilyName, values: readonly string[]): HistogramSeries {
    const labels = labelsOf(name, values)
    const make = (): HistogramSeries => new HistogramSeries(familyOf(name).buckets ?? [])
    return found(this.#histograms, name, { labels, make })
  }

  /** The text format of Prometheus; families without series are left out, as on a real server. */
  text(): string {
    const lines: string[] = []
    const names = (Object.keys(families) as FamilyName[]).sort((a, b) =>
      families[a].name < families[b].name ? -1 : 1,
    )
    for (const key of names) {
      const { name, type, help } = familyOf(key)
      const series = [
        ...sorted(this.#numbers.get(key)).map(
          ([labels, { value }]) => `${name}{${labels}} ${goFloat(value)}`,
        ),
        ...sorted(this.#histograms.get(key)).flatMap(([labels, histogram]) =>
          histogram.lines(name, labels),
        ),
      ]
      if (series.length > 0)
        lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...series)
    }
    return `${lines.join('\n')}\n`
  }
}

function found<Series>(
  all: Map<FamilyName, Map<string, Series>>,
  name: FamilyName,
  { labels, make }: { labels: string; make: () => Series },
): Series {
  let ofFamily = all.get(name)
  if (ofFamily === undefined) {
    ofFamily = new Map()
    all.set(name, ofFamily)
  }
  let series = ofFamily.get(labels)
  if (series === undefined) {
    series = make()
    ofFamily.set(labels, series)
  }
  return series
}

function labelsOf(name: FamilyName, values: readonly string[]): string {
  const escaped = values.map((value) =>
    value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n'),
  )
  return familyOf(name)
    .labels.map((label, index) => `${label}="${escaped[index] ?? ''}"`)
    .join(',')
}

function sorted<Series>(series: Map<string, Series> | undefined): [string, Series][] {
  return [...(series ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** A number in Go's shortest form: large and small ones have an exponent of two digits. */
function goFloat(value: number): string {
  const size = Math.abs(value)
  if (size === 0 || (size >= 1e-4 && size < 1e6)) return String(value)
  const [digits = '', exponent = ''] = value.toExponential().split('e')
  return `${digits}e${exponent.replace(/^([+-])(\d)$/, '$10$2')}`
}
