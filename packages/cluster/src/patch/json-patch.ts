import { goJson, isJsonObject, jsonEquals, type JsonObject, type JsonValue } from 'setpoint/schema'
import { ApiError } from '../status/index.ts'
import { readOperations, type PatchOperation } from './json-patch-operations.ts'
import { rejectedPatch } from './patch-error.ts'

const maxOperations = 10_000
const maxCopiedBytes = 3 * 1024 * 1024

/**
 * Applies a JSON patch (RFC 6902) completely or not at all. Throws 400 for a body that is not a
 * list of operations, 413 for too many operations and 422 for an operation that does not apply.
 */
export function applyJsonPatch(target: JsonObject, patch: JsonValue): JsonObject {
  const operations = readOperations(patch)
  if (operations.length > maxOperations) {
    const limits = `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${operations.length}`
    throw new ApiError({
      code: 413,
      reason: 'RequestEntityTooLarge',
      message: `Request entity too large: ${limits}`,
    })
  }
  const work: Work = { root: target, copiedBytes: 0 }
  for (const operation of operations) applyOperation(work, operation)
  if (!isJsonObject(work.root)) throw rejectedPatch()
  return work.root
}

interface Work {
  root: JsonValue
  copiedBytes: number
}

function applyOperation(work: Work, { op, path, from, value }: PatchOperation): void {
  if (path === undefined) throw rejectedPatch()
  switch (op) {
    case 'add':
      work.root = change(work.root, tokensOf(path), addTo(value ?? null))
      return
    case 'remove':
      work.root = change(work.root, tokensOf(path), removeFrom)
      return
    case 'replace':
      work.root =
        path === '' ? (value ?? null) : change(work.root, tokensOf(path), replaceIn(value ?? null))
      return
    case 'test':
      if (!testAt(work.root, path, value ?? null)) throw rejectedPatch()
      return
    case 'move':
    case 'copy':
      relocate(work, { op, path, from })
      return
    default:
      throw rejectedPatch()
  }
}

function relocate(work: Work, { op, path, from }: Omit<PatchOperation, 'value'>): void {
  if (from === undefined || path === undefined) throw rejectedPatch()
  const source = tokensOf(from)
  const parent = valueAt(work.root, source.slice(0, -1))
  if (!isJsonObject(parent) && !Array.isArray(parent)) throw rejectedPatch()
  const last = source.at(-1) ?? ''
  if (Array.isArray(parent) && indexOf(parent, last) === undefined) throw rejectedPatch()
  // A missing value is copied as null.
  const value = child(parent, last) ?? null
  if (op === 'move') work.root = change(work.root, source, removeFrom)
  else {
    work.copiedBytes += goJson(value).length
    if (work.copiedBytes > maxCopiedBytes) throw rejectedPatch()
  }
  work.root = change(work.root, tokensOf(path), addTo(value))
}

/** The tokens of a pointer; text before its first slash is ignored. */
function tokensOf(path: string): string[] {
  const tokens = path.split('/').slice(1)
  if (tokens.length === 0) throw rejectedPatch()
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function indexOf(list: readonly JsonValue[], token: string): number | undefined {
  if (!/^[+-]?\d+$/.test(token)) return undefined
  const index = Number(token)
  // Negative indices count from the end, an extension that servers enable.
  const counted = index < 0 ? index + list.length : index
  return counted < 0 || counted >= list.length ? undefined : counted
}

function child(container: JsonValue | undefined, token: string): JsonValue | undefined {
  if (Array.isArray(container)) {
    const index = indexOf(container, token)
    return index === undefined ? undefined : container[index]
  }
  if (!isJsonObject(container) || !Object.hasOwn(container, token)) return undefined
  return container[token]
}

function valueAt(root: JsonValue, tokens: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = root
  for (const token of tokens) value = child(value, token)
  return value
}

function testAt(root: JsonValue, path: string, expected: JsonValue): boolean {
  if (path === '') return jsonEquals(root, expected)
  const tokens = tokensOf(path)
  const parent = valueAt(root, tokens.slice(0, -1))
  if (!isJsonObject(parent) && !Array.isArray(parent)) return false
  const last = tokens.at(-1) ?? ''
  if (Array.isArray(parent) && indexOf(parent, last) === undefined) return false
  // A missing value equals null.
  return jsonEquals(child(parent, last) ?? null, expected)
}

type Change = (container: JsonObject | JsonValue[], token: string) => JsonValue

/** Rebuilds the containers on the path to the last token, which `act` changes. */
function change(
  container: JsonValue | undefined,
  tokens: readonly string[],
  act: Change,
): JsonValue {
  const [token = '', ...rest] = tokens
  if (!isJsonObject(container) && !Array.isArray(container)) throw rejectedPatch()
  if (rest.length === 0) return act(container, token)
  const next = change(child(container, token), rest, act)
  if (Array.isArray(container)) {
    return container.with(indexOf(container, token) ?? 0, next)
  }
  return withField(container, token, next)
}

function withField(object: JsonObject, name: string, value: JsonValue): JsonObject {
  return Object.fromEntries(new Map(Object.entries(object)).set(name, value))
}

function addTo(value: JsonValue): Change {
  return (container, token) => {
    if (!Array.isArray(container)) return withField(container, token, value)
    if (token === '-') return [...container, value]
    if (!/^[+-]?\d+$/.test(token)) throw rejectedPatch()
    const index = Number(token)
    const place = index < 0 ? index + container.length + 1 : index
    if (place < 0 || place > container.length) throw rejectedPatch()
    return container.toSpliced(place, 0, value)
  }
}

function removeFrom(container: JsonObject | JsonValue[], token: string): JsonValue {
  if (Array.isArray(container)) {
    const index = indexOf(container, token)
    if (index === undefined) throw rejectedPatch()
    return container.toSpliced(index, 1)
  }
  if (!Object.hasOwn(container, token)) throw rejectedPatch()
  return Object.fromEntries(Object.entries(container).filter(([name]) => name !== token))
}

function replaceIn(value: JsonValue): Change {
  return (container, token) => {
    // A field may be missing, a list item must exist.
    if (!Array.isArray(container)) return withField(container, token, value)
    const index = indexOf(container, token)
    if (index === undefined) throw rejectedPatch()
    return container.with(index, value)
  }
}
