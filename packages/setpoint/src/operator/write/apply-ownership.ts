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
 * Makes the fields that our plain writes own (`Update`) part of what our apply owns, as kubectl
 * does when it switches to server-side apply. Plain writes cost the server half as much as apply,
 * so objects are created and corrected by them; apply alone would not remove their fields when they
 * are no longer desired. `undefined` when there is nothing to do.
 */
export function mergeOwnership(
  object: { readonly metadata: { readonly resourceVersion: string } },
  manager: string,
): readonly JsonPatchOperation[] | undefined {
  const { metadata } = object as { metadata: { managedFields?: readonly ManagedFields[] } }
  const entries = metadata.managedFields ?? []
  const isOwn = (operation: string) => (entry: ManagedFields) =>
    entry.manager === manager && entry.operation === operation && (entry.subresource ?? '') === ''
  const written = entries.filter(isOwn('Update'))
  const [first, ...others] = written
  if (first === undefined) return undefined
  const applied = entries.find(isOwn('Apply'))
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
