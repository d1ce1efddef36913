import { sha256 } from '../../host/sha256.ts'
import { hasFields } from '../../schema/json-value.ts'

/** An object whose content pods use: a live child, an object of the cache, or a desired object. */
export interface RolloutSource {
  readonly metadata?: { readonly name?: string | undefined } | undefined
  readonly data?: object | undefined
  readonly binaryData?: object | undefined
  readonly stringData?: object | undefined
  readonly spec?: object | undefined
}

const rolloutAnnotation = 'setpoint.dev/rollout-on'

/**
 * Annotations for the template of a workload, with a hash of the content of ConfigMaps, Secrets or
 * other objects that its pods use. Kubernetes does not restart pods when such an object changes; a
 * changed annotation of the template is a new rollout.
 *
 * The hash has the names of the objects, `data`, `binaryData`, `stringData` and `spec`, so changes
 * of labels or the status cause no rollout. The order of the objects does not matter. An object
 * that does not exist counts as missing. The hash is a SHA-256: it does not show a Secret, but a
 * reader of the workload can confirm a guess of a short or predictable value.
 */
export function rolloutOn(
  ...sources: readonly (RolloutSource | null | undefined)[]
): Readonly<Record<string, string>> {
  const digests = sources.map((source) => sha256(contentOf(source ?? undefined))).sort()
  return { [rolloutAnnotation]: sha256(digests.join()) }
}

function contentOf(source: RolloutSource | undefined): string {
  if (source === undefined) return ''
  const { metadata, data, binaryData, stringData, spec } = source
  const texts = Object.entries(stringData ?? {}).map(([name, text]: [string, unknown]) => [
    name,
    Buffer.from(String(text)).toString('base64'),
  ])
  // A server stores `stringData` as `data`, and leaves empty maps out.
  const bytes = { ...data, ...(Object.fromEntries(texts) as object) }
  return sortedJson([metadata?.name ?? '', bytes, { ...binaryData }, { ...spec }])
}

/** JSON that does not depend on the order of fields. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    hasFields(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([left], [right]) => (left < right ? -1 : 1)))
      : inner,
  )
}
