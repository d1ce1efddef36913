/** JSON patches (RFC 6902) and merge patches (RFC 7386). Pure. */
import { isJsonObject, jsonEquals, type JsonObject, type JsonValue } from '../../schema/index.ts'
import { ApiRefusal, refusals } from '../api-refusal.ts'

/** The patch types that an aggregated API accepts. */
export const patchTypes = ['application/json-patch+json', 'application/merge-patch+json'] as const

/** The object after a patch of this type; throws a refusal. */
export function applyPatch(object: JsonObject, type: string, patch: JsonValue): JsonValue {
  if (type === 'application/merge-patch+json') return merged(object, patch)
  if (type !== 'application/json-patch+json') throw refusals.unknownFormat(patchTypes)
  if (!Array.isArray(patch)) throw refusals.badRequest('a JSON patch is a list of operations')
  if (patch.length > operationsMax) {
    throw refusals.badRequest(`a JSON patch has at most ${operationsMax} operations`)
  }
  return patch.reduce<JsonValue>((value, operation) => applied(value, operation), object)
}

const operationsMax = 10_000

function merged(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch
  const result = new Map(isJsonObject(target) ? Object.entries(target) : [])
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) result.delete(field)
    else result.set(field, merged(result.get(field), value))
  }
  return Object.fromEntries(result)
}

function applied(value: JsonValue, operation: JsonValue): JsonValue {
  if (!isJsonObject(operation)) throw refusals.badRequest('an operation of a patch is an object')
  const path = steps(operation['path'])
  switch (operation['op']) {
    case 'add':
      return changed(value, path, { add: given(operation) })
    case 'replace':
      found(value, path)
      return changed(value, path, { replace: given(operation) })
    case 'remove':
      found(value, path)
      return changed(value, path, 'remove')
    case 'move': {
      const from = steps(operation['from'])
      const moved = found(value, from)
      return changed(changed(value, from, 'remove'), path, { add: moved })
    }
    case 'copy':
      return changed(value, path, { add: found(value, steps(operation['from'])) })
    case 'test':
      if (jsonEquals(found(value, path), given(operation))) return value
      throw unprocessable(`testing value /${path.join('/')} failed`)
    default:
      throw refusals.badRequest(`unknown operation of a patch: ${JSON.stringify(operation['op'])}`)
  }
}

function given(operation: JsonObject): JsonValue {
  const { value } = operation
  if (value === undefined) throw refusals.badRequest('an operation of the patch has no value')
  return value
}

/** The steps of a JSON pointer. */
function steps(pointer: JsonValue | undefined): string[] {
  if (typeof pointer !== 'string' || (pointer !== '' && !pointer.startsWith('/'))) {
    throw refusals.badRequest(`not a path of a JSON patch: ${JSON.stringify(pointer)}`)
  }
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function found(value: JsonValue, path: readonly string[]): JsonValue {
  let at: JsonValue | undefined = value
  for (const step of path) {
    if (Array.isArray(at)) at = /^(0|[1-9]\d*)$/.test(step) ? at[Number(step)] : undefined
    else at = isJsonObject(at) && Object.hasOwn(at, step) ? at[step] : undefined
    if (at === undefined) throw missing(path)
  }
  return at
}

type Change = 'remove' | { readonly add: JsonValue } | { readonly replace: JsonValue }

function changed(value: JsonValue, path: readonly string[], change: Change): JsonValue {
  const [step, ...rest] = path
  if (step === undefined) {
    if (change === 'remove') throw refusals.badRequest('a patch cannot remove the whole object')
    return 'add' in change ? change.add : change.replace
  }
  if (Array.isArray(value)) return changedList(value, path, change)
  if (!isJsonObject(value)) throw missing(path)
  const fields = new Map(Object.entries(value))
  const before = fields.get(step)
  if (rest.length > 0) {
    if (before === undefined) throw missing(path)
    fields.set(step, changed(before, rest, change))
  } else if (change === 'remove') fields.delete(step)
  else fields.set(step, changed(null, [], change))
  return Object.fromEntries(fields)
}

function changedList(
  value: readonly JsonValue[],
  path: readonly string[],
  change: Change,
): JsonValue {
  const [step = '', ...rest] = path
  const index = step === '-' ? value.length : Number(step)
  const isAdded = rest.length === 0 && change !== 'remove' && 'add' in change
  if (!/^(-|0|[1-9]\d*)$/.test(step) || index > value.length - (isAdded ? 0 : 1)) {
    throw missing(path)
  }
  const items = [...value]
  if (rest.length > 0) items[index] = changed(items[index] ?? null, rest, change)
  else if (change === 'remove') items.splice(index, 1)
  else items.splice(index, isAdded ? 0 : 1, changed(null, [], change))
  return items
}

function missing(path: readonly string[]): ApiRefusal {
  return unprocessable(`the path /${path.join('/')} does not exist`)
}

/** API servers answer operations that do not fit the object like this. */
function unprocessable(why: string): ApiRefusal {
  return new ApiRefusal({
    code: 422,
    reason: 'Invalid',
    message: `the server rejected our request due to an error in our request: ${why}`,
  })
}
