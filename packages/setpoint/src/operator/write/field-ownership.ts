import type { JsonPatchOperation } from '../../client/index.ts'
import { hasFields } from '../../schema/json-value.ts'

type Fields = Readonly<Record<string, unknown>>

/** An entry of `metadata.managedFields`. */
interface ManagedFields {
  readonly manager?: string
  readonly operation?: string
  readonly subresource?: string
  readonly fieldsV1?: Fields
  readonly [field: string]: unknown
}

/**
 * Objects are created and corrected by plain writes, which servers do in half the time of applications. Plain writes own
 * their fields apart from applications, so that an application would not take away what was created and is
 * no longer wanted. This makes both one, as kubectl does when it changes to server-side apply; `undefined` when there
 * is nothing to do.
 */
export function mergeOwnership(
  object: { readonly metadata: { readonly resourceVersion: string } },
  manager: string,
): readonly JsonPatchOperation[] | undefined {
  const { metadata } = object as { metadata: { managedFields?: readonly ManagedFields[] } }
  const entries = metadata.managedFields ?? []
  const ours = (operation: string) => (entry: ManagedFields) =>
    entry.manager === manager && entry.operation === operation && (entry.subresource ?? '') === ''
  const written = entries.filter(ours('Update'))
  const [first, ...others] = written
  if (first === undefined) return undefined
  const applied = entries.find(ours('Apply'))
  const all = [...others, ...(applied === undefined ? [] : [applied])]
  const fieldsV1 = all.reduce((sum, entry) => union(sum, entry.fieldsV1), first.fieldsV1 ?? {})
  const rest = entries.filter((entry) => entry !== applied && !written.includes(entry))
  const merged = { ...first, operation: 'Apply', fieldsV1 }
  const { resourceVersion } = object.metadata
  return [
    { op: 'test', path: '/metadata/resourceVersion', value: resourceVersion },
    { op: 'replace', path: '/metadata/managedFields', value: [...rest, merged] },
  ]
}

function union(left: Fields, right: Fields | undefined): Fields {
  const sum: Record<string, unknown> = { ...left }
  for (const [field, value] of Object.entries(right ?? {})) {
    const before = sum[field]
    sum[field] = hasFields(before) && hasFields(value) ? union(before, value) : value
  }
  return sum
}
