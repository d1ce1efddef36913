import { createHash } from 'node:crypto'

/** The chart of a release. */
export interface ChartVersion {
  readonly name: string
  readonly version: string
}

/**
 * The digest of what is released: another digest is another release. It is a label of the revision.
 * Its second part is about what helm records: chart version and values.
 */
export function releaseDigest(
  chart: ChartVersion & { readonly digest: string },
  values: unknown,
): string {
  const all = sha256(JSON.stringify([chart.digest, sorted(values)]))
  return `${all.slice(0, 20)}.${recordedDigest(chart, values)}`
}

/**
 * Whether a revision was made with this digest. Helm keeps labels in an upgrade by a person, but the
 * record has the person's chart and values.
 */
export function isDigestOf(digest: string, chart: ChartVersion, config: unknown): boolean {
  return digest.endsWith(`.${recordedDigest(chart, config)}`)
}

function recordedDigest({ name, version }: ChartVersion, values: unknown): string {
  const text = JSON.stringify([name, version, sorted(values)], (_, value: unknown) =>
    // Helm may drop a null, which removes a default of the chart, from its record.
    value === null ? undefined : value,
  )
  return sha256(text).slice(0, 40)
}

/** The same value with sorted keys: their order changes nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]))
}

export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}
