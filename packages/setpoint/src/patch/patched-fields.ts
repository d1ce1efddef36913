import type { Patch } from '../client/index.ts'
import { hasFields } from '../schema/json-value.ts'
import { pointerFields } from './json-pointer.ts'

/** Fields that the server changes with any other change. */
const following = ['metadata.generation']

/**
 * The fields of a patch; lists count as a whole. A patch that changes nothing is answered with the
 * revision of another client's write: only the changed fields distinguish that client's event from
 * the echo of the patch.
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
