import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import { ApiError } from '../status/index.ts'
import { applyJsonPatch } from './json-patch.ts'
import { type PatchOperation, readOperations } from './json-patch-operations.ts'

/**
 * Why a JSON patch cannot be applied, in the words of a real server. Patches of clients are refused
 * without a reason; a patch of a webhook is refused with it.
 */
export function patchFailure(target: JsonObject, patch: JsonValue): string {
  let current = target
  for (const operation of Array.isArray(patch) ? patch : []) {
    try {
      current = applyJsonPatch(current, [operation])
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const [read] = readOperations([operation])
      return read === undefined ? error.message : failureOf(current, read)
    }
  }
  return 'invalid state detected'
}

const missing = 'missing value'

function failureOf(target: JsonObject, { op, path, from }: PatchOperation): string {
  if (op === 'move' || op === 'copy') return relocationFailure(target, { op, path, from })
  if (path === undefined) {
    const cause = op === 'add' || op === 'remove' ? '' : 'operation missing path field: '
    return `${op} operation failed to decode path: ${cause}${missing}`
  }
  const found = placeOf(target, path)
  switch (op) {
    case 'add':
      return found === undefined
        ? `add operation does not apply: doc is missing path: "${path}": ${missing}`
        : `error in add for path: '${path}': ${addProblem(found)}`
    case 'remove':
      return found === undefined
        ? `remove operation does not apply: doc is missing path: "${path}": ${missing}`
        : `error in remove for path: '${path}': ${removeProblem(found)}`
    case 'replace': {
      const what = found === undefined ? 'path' : 'key'
      return `replace operation does not apply: doc is missing ${what}: ${path}: ${missing}`
    }
    case 'test':
      return testFailure(path, found)
    default:
      return `Unexpected kind: ${op}`
  }
}

function testFailure(path: string, found: Place | undefined): string {
  if (found === undefined) {
    return `test operation does not apply: is missing path: ${path}: ${missing}`
  }
  const problem = indexProblem(found)
  if (problem !== undefined) return `error in test for path: '${path}': ${problem}`
  return `testing value ${path} failed: test failed`
}

function relocationFailure(
  target: JsonObject,
  { op, path, from }: Omit<PatchOperation, 'value'>,
): string {
  if (from === undefined) {
    return `${op} operation failed to decode from: operation, missing from field: ${missing}`
  }
  const source = placeOf(target, from)
  if (source === undefined) {
    return `${op} operation does not apply: doc is missing from path: ${from}: ${missing}`
  }
  const problem = op === 'move' ? removeProblem(source) : indexProblem(source)
  if (problem !== undefined) {
    const where = op === 'move' ? `path: '${source.key}'` : `from: '${from}'`
    return `error in ${op} for ${where}: ${problem}`
  }
  return `${op} operation does not apply: doc is missing destination path: ${path ?? ''}: ${missing}`
}

/** The container of the last token of a path. */
interface Place {
  readonly container: JsonObject | readonly JsonValue[]
  readonly key: string
}

function placeOf(target: JsonObject, path: string): Place | undefined {
  const tokens = path.split('/').slice(1)
  const names = tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
  const key = names.pop()
  if (key === undefined) return undefined
  let container: JsonValue | undefined = target
  for (const name of names) {
    if (Array.isArray(container)) container = container[Number(name)]
    else if (isJsonObject(container) && Object.hasOwn(container, name)) container = container[name]
    else return undefined
  }
  return isJsonObject(container) || Array.isArray(container) ? { container, key } : undefined
}

function removeProblem(place: Place): string | undefined {
  const { container, key } = place
  if (Array.isArray(container)) return indexProblem(place)
  return Object.hasOwn(container, key)
    ? undefined
    : `Unable to remove nonexistent key: ${key}: ${missing}`
}

function addProblem({ container, key }: Place): string {
  if (!isIndex(key)) return `value was not a proper array index: '${key}': ${notANumber(key)}`
  const isList = Array.isArray(container)
  return isList ? invalidIndex(Number(key)) : missing
}

/** Why a list has no item at this key; `undefined` for objects, in which a missing key is null. */
function indexProblem({ container, key }: Place): string | undefined {
  if (!Array.isArray(container)) return undefined
  if (!isIndex(key)) return notANumber(key)
  const index = Number(key)
  const counted = index < 0 ? index + container.length : index
  return counted < 0 || counted >= container.length ? invalidIndex(index) : undefined
}

function isIndex(key: string): boolean {
  return /^[+-]?\d+$/.test(key)
}

function notANumber(key: string): string {
  return `strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`
}

function invalidIndex(index: number): string {
  return `Unable to access invalid index: ${index}: invalid index referenced`
}
