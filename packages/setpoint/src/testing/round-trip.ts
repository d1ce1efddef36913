import type { AnyResourceDefinition } from '../definition/index.ts'
import { SetpointError } from '../errors/index.ts'
import { seededRandom } from '../host/index.ts'
import { jsonEquals, type JsonValue } from '../schema/index.ts'
import { sampleValue } from './sample-value.ts'

/** The options of `assertRoundTrip`. */
export interface RoundTripOptions {
  /** How many random objects of each version; 100 by default, none for a version with samples. */
  readonly runs?: number
  /** The same seed tries the same objects. */
  readonly seed?: number | string
  /** Objects of any version to try besides the random ones, with `apiVersion` and `kind`. */
  readonly samples?: readonly unknown[]
}

interface Converted {
  readonly apiVersion: string
  readonly metadata: {
    readonly labels?: Record<string, string>
    readonly annotations?: Record<string, string>
  }
  readonly spec: JsonValue
  readonly status?: JsonValue
}

/**
 * Asserts that conversions lose nothing: every object of one version, converted to another and
 * back, must be unchanged. Call it in a test of each resource that has several versions; a version
 * that cannot express a field keeps it in an annotation.
 */
export function assertRoundTrip(
  definition: AnyResourceDefinition,
  options: RoundTripOptions = {},
): void {
  const [hub, ...others] = definition.versions
  const samples = knownSamples(definition, options.samples ?? [])
  const random = seededRandom(options.seed ?? 1)
  const versions = [hub, ...others].flatMap((version) => version ?? [])
  for (const from of versions) {
    const apiVersion = `${definition.group}/${from}`
    const given = samples.filter((sample) => sample.apiVersion === apiVersion)
    const length = options.runs ?? (given.length > 0 ? 0 : 100)
    const drawn = Array.from({ length }, () => ({
      ...(sampleValue(definition.schema(from), random) as object),
      apiVersion,
      kind: definition.kind,
      metadata: { name: 'sample', labels: kept, annotations: kept },
    }))
    const targets = from === hub ? others : [hub]
    for (const sample of [...given, ...drawn]) {
      for (const to of targets) if (to !== undefined) tryOne(definition, sample, { from, to })
    }
  }
}

/** Labels and annotations of every random object: a conversion must not change them. */
const kept = { 'example.com/kept': 'yes' }

interface Sample {
  readonly apiVersion?: unknown
}

/** A sample of an unknown version would never be tried, and the test would pass. */
function knownSamples(definition: AnyResourceDefinition, samples: readonly unknown[]): Sample[] {
  const known = definition.versions.map((version) => `${definition.group}/${version}`)
  const typed = samples.map((sample) => Object(sample) as Sample)
  const stray = typed.find(({ apiVersion }) => !known.includes(String(apiVersion)))
  if (stray === undefined) return typed
  throw new SetpointError(
    'CONVERSION_FAILED',
    `a sample of ${definition.kind} has the apiVersion ${JSON.stringify(stray.apiVersion)}`,
    { hint: `use one of ${known.join(', ')}` },
  )
}

function tryOne(
  definition: AnyResourceDefinition,
  sample: unknown,
  { from, to }: { readonly from: string; readonly to: string },
): void {
  const convert = (object: unknown, version: string): Converted =>
    definition.convert(object, version) as Converted
  const before = convert(sample, from)
  const there = convert(before, to)
  const after = convert(there, from)
  if (jsonEquals(contentOf(before), contentOf(after))) return
  throw new SetpointError(
    'CONVERSION_FAILED',
    `${definition.kind} loses something from ${from} to ${to} and back:` +
      `\n  before ${JSON.stringify(contentOf(before))}` +
      `\n  as ${to} ${JSON.stringify(contentOf(there))}` +
      `\n  after  ${JSON.stringify(contentOf(after))}`,
    {
      hint: 'set lossless: true for the other version, or keep such fields in annotations in `down` and `up`',
    },
  )
}

function contentOf({ spec, status, metadata }: Converted): JsonValue {
  const { labels = {}, annotations = {} } = metadata
  // A conversion may add annotations, but not remove or change existing ones.
  const others = Object.fromEntries(Object.keys(kept).map((key) => [key, annotations[key] ?? null]))
  return { spec, status: status ?? null, labels, annotations: others }
}
