import type { FieldEdit } from '../../client/protobuf-writes.ts'
import { diffOf } from '../../handlers/diff.ts'

/** What says what an object is, and not how it is. */
const identity: ReadonlySet<string> = new Set(['apiVersion', 'kind'])

/** The edits that make an object another one, as deep as both have fields: what neither shows stays as it is. */
export function fieldEdits(before: unknown, after: unknown): FieldEdit[] {
  return diffOf(before, after)
    .filter(({ path: [name = ''] }) => !identity.has(name))
    .map(({ path, new: value }) => ({ path, value: value ?? null }))
}
