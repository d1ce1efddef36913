import type { Patch } from '../client/index.ts'
import { hasFields } from '../schema/json-value.ts'
import { pointerFields } from './json-pointer.ts'

/** What the server changes by itself when something else changes. */
const following = ['metadata.generation']

/**
 * The fields that a patch is about, lists as a whole. A server answers a patch that changes nothing with what somebody else
 * wrote last: only by its fields the event can be told from ours.
 */
export function patchedFields(patch: Patch): string[] {
  const merged = 'merge' in patch ? patch.merge : 'strategic' in patch ? patch.strategic : undefined
  if (merged !== undefined) return [...following, ...leaves(merged, '')]
  const operations = 'json' in patch ? patch.json : []
  return [...following, ...operations.map(({ path }) => fieldsBeforeList(path))]
}

function leaves(value: object, path: string): string[] {
  return Object.entries(value).flatMap(([name, below]: [string, unknown]) => {
    const place = path === '' ? name : `${path}.${name}`
    return hasFields(below) ? leaves(below, place) : [place]
  })
}

function fieldsBeforeList(pointer: string): string {
  const fields = pointerFields(pointer)
  const item = fields.findIndex((field) => /^(?:\d+|-)$/.test(field))
  return (item === -1 ? fields : fields.slice(0, item)).join('.')
}
