import type { AnyResourceDefinition } from '../definition/index.ts'
import { SetpointError } from '../errors/index.ts'
import { seededRandom } from '../host/index.ts'
import { jsonEquals, type JsonValue } from '../schema/index.ts'
import { sampleValue } from './sample-value.ts'

/** How `assertRoundTrip` tries. */
export interface RoundTripOptions {
  /** How many random objects of each version; 100 unless given. */
  readonly runs?: number
  /** The same seed tries the same objects. */
  readonly seed?: number | string
  /** Objects of any version to try beside the random ones, with `apiVersion` and `kind`. */
  readonly samples?: readonly unknown[]
}

interface Converted {
  readonly apiVersion: string
  readonly spec: JsonValue
  readonly status?: JsonValue
}

/**
 * Tries that nothing is lost between versions: every object of one version, converted to another and
 * back, must be what it was. Call it in a test of each resource that has several versions; a version
 * that can say less than the other keeps the rest in an annotation.
 */
export function assertRoundTrip(
  definition: AnyResourceDefinition,
  options: RoundTripOptions = {},
): void {
  const [hub, ...others] = definition.versions
  const random = seededRandom(options.seed ?? 1)
  const versions = [hub, ...others].flatMap((version) => version ?? [])
  for (const from of versions) {
    const apiVersion = `${definition.group}/${from}`
    const given = (options.samples ?? []).filter(
      (sample) => (sample as { apiVersion?: unknown }).apiVersion === apiVersion,
    )
    const drawn = Array.from({ length: options.runs ?? 100 }, () => ({
      ...(sampleValue(definition.schema(from), random) as object),
      apiVersion,
      kind: definition.kind,
      metadata: { name: 'sample' },
    }))
    const targets = from === hub ? others : [hub]
    for (const sample of [...given, ...drawn]) {
      for (const to of targets) if (to !== undefined) tryOne(definition, sample, { from, to })
    }
  }
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
    { hint: 'keep what the other version cannot say in an annotation, in `down` and `up`' },
  )
}

function contentOf({ spec, status }: Converted): JsonValue {
  return { spec, status: status ?? null }
}
