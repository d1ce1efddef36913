import type { FieldEdit } from '../../client/protobuf-writes.ts'
import { diffOf } from '../../handlers/diff.ts'

/** The fields that identify an object. */
const identity: ReadonlySet<string> = new Set(['apiVersion', 'kind'])

/** The edits between two states of an object. Fields that neither state has are left alone. */
export function fieldEdits(before: unknown, after: unknown): FieldEdit[] {
  return diffOf(before, after)
    .filter(({ path: [name = ''] }) => !identity.has(name))
    .map(({ path, new: value }) => ({ path, value: value ?? null }))
}
