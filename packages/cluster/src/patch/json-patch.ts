import { goJson, isJsonObject, jsonEquals, type JsonObject, type JsonValue } from 'setpoint/schema'
import { compareKeys, setOwn } from '../codec/index.ts'
import { requestTooLarge } from '../status/index.ts'
import { readOperations, type PatchOperation } from './json-patch-operations.ts'
import { rejectedPatch } from './patch-error.ts'

const maxOperations = 10_000
const maxCopiedBytes = 3 * 1024 * 1024
const maxTokens = 500

/** Inserting an item moves all that follow it. This many take a third of a second. */
const maxMovedItems = 300_000_000

/**
 * Applies a JSON patch (RFC 6902) completely or not at all. Throws 400 for a body that is not a
 * list of operations, 413 for too many operations and 422 for an operation that does not apply.
 */
export function applyJsonPatch(target: JsonObject, patch: JsonValue): JsonObject {
  const patched = patchDocument(target, patch)
  if (!isJsonObject(patched)) throw rejectedPatch()
  return patched
}

/** Like `applyJsonPatch`; the patch may replace the object by a list. */
export function patchDocument(
  target: JsonObject,
  patch: JsonValue,
  isValidated = true,
): JsonObject | JsonValue[] {
  const operations = readOperations(patch, isValidated)
  if (operations.length > maxOperations) {
    const limits = `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${operations.length}`
    throw requestTooLarge(limits)
  }
  const work: Work = { root: target, owned: new WeakSet(), copiedBytes: 0, movedItems: 0 }
  for (const operation of operations) applyOperation(work, operation)
  return unowned(work, ownedCopy(work, work.root)) as JsonObject | JsonValue[]
}

interface Work {
  root: JsonValue
  /**
   * The containers that were copied for this patch, and can be changed. A copy for each operation
   * would take minutes for large objects. Go's library parses the same ones, and prints their
   * fields in alphabetical order; it leaves the text of all others as it was.
   */
  readonly owned: WeakSet<object>
  copiedBytes: number
  movedItems: number
}

function countMoved(work: Work, items: number): void {
  work.movedItems += items
  if (work.movedItems <= maxMovedItems) return
  throw requestTooLarge(
    'the operations of this JSON patch insert or remove too many items at the beginning of a long list: replace the list',
  )
}

function applyOperation(work: Work, { op, path, from, value: given }: PatchOperation): void {
  if (path === undefined) throw rejectedPatch()
  switch (op) {
    case 'add':
      change(work, tokensOf(path), addTo(work, given ?? null))
      return
    case 'remove':
      change(work, tokensOf(path), removeFrom(work))
      return
    case 'replace': {
      const value = given ?? null
      if (path === '') work.root = value
      else change(work, tokensOf(path), replaceIn(value))
      return
    }
    case 'test':
      if (!testAt(work, path, given ?? null)) throw rejectedPatch()
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
  const parent = parentOf(work, source)
  const last = source.at(-1) ?? ''
  if (Array.isArray(parent) && indexOf(parent, last) === undefined) throw rejectedPatch()
  // A missing value is copied as null.
  const value = child(parent, last) ?? null
  if (op === 'move') {
    change(work, source, removeFrom(work))
    change(work, tokensOf(path), addTo(work, value))
    return
  }
  work.copiedBytes += goJson(value).length
  if (work.copiedBytes > maxCopiedBytes) throw rejectedPatch()
  // The place of the copy may be inside of the copied value.
  const target = tokensOf(path)
  parentOf(work, target)
  const copied = child(parent, last) ?? null
  change(work, target, addTo(work, unowned(work, copied)))
}

/** The tokens of a pointer; text before its first slash is ignored. */
function tokensOf(path: string): string[] {
  const tokens = path.split('/', maxTokens + 2).slice(1)
  // No object nests that deep; an operation could otherwise nest deeper with every other one.
  if (tokens.length === 0 || tokens.length > maxTokens) throw rejectedPatch()
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

function testAt(work: Work, path: string, expected: JsonValue): boolean {
  const tokens = path === '' ? [] : tokensOf(path)
  if (tokens.length === 0) {
    if (!jsonEquals(work.root, expected)) return false
    work.root = ownedTree(work, work.root)
    return true
  }
  const parent = parentOf(work, tokens)
  const last = tokens.at(-1) ?? ''
  if (Array.isArray(parent) && indexOf(parent, last) === undefined) return false
  // A missing value equals null.
  const value = child(parent, last)
  if (!jsonEquals(value ?? null, expected)) return false
  if (value !== undefined) setIn(parent, last, ownedTree(work, value))
  return true
}

type Change = (container: JsonObject | JsonValue[], token: string) => void

/** Changes the container that has the last token of the path. */
function change(work: Work, tokens: readonly string[], act: Change): void {
  act(parentOf(work, tokens), tokens.at(-1) ?? '')
}

/** The container that has the last token of the path, after copying those that lead to it. */
function parentOf(work: Work, tokens: readonly string[]): JsonObject | JsonValue[] {
  let container = ownedCopy(work, work.root)
  work.root = container
  for (const token of tokens.slice(0, -1)) {
    const next = ownedCopy(work, child(container, token))
    setIn(container, token, next)
    container = next
  }
  return container
}

/** Replaces an existing field or item. */
function setIn(container: JsonObject | JsonValue[], token: string, value: JsonValue): void {
  if (Array.isArray(container)) container[indexOf(container, token) ?? 0] = value
  else setOwn(container, token, value)
}

function ownedCopy({ owned }: Work, container: JsonValue | undefined): JsonObject | JsonValue[] {
  if (!isJsonObject(container) && !Array.isArray(container)) throw rejectedPatch()
  if (owned.has(container)) return container
  const copy = Array.isArray(container) ? [...container] : { ...container }
  owned.add(copy)
  return copy
}

/** A tested value: Go's library parses all of it. */
function ownedTree(work: Work, value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  const container = ownedCopy(work, value)
  for (const key of Object.keys(container)) {
    setIn(container, key, ownedTree(work, child(container, key) ?? null))
  }
  return container
}

/** A value for a second place: containers that could still change are copied, as they are printed. */
function unowned(work: Work, value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null || !work.owned.has(value)) return value
  if (Array.isArray(value)) return value.map((item) => unowned(work, item))
  const copy: JsonObject = {}
  for (const key of Object.keys(value).sort(compareKeys)) {
    setOwn(copy, key, unowned(work, value[key] ?? null))
  }
  return copy
}

function addTo(work: Work, value: JsonValue): Change {
  return (container, token) => {
    if (!Array.isArray(container)) return setOwn(container, token, value)
    if (token === '-') return void container.push(value)
    if (!/^[+-]?\d+$/.test(token)) throw rejectedPatch()
    const index = Number(token)
    const place = index < 0 ? index + container.length + 1 : index
    if (place < 0 || place > container.length) throw rejectedPatch()
    countMoved(work, container.length - place)
    container.splice(place, 0, value)
  }
}

function removeFrom(work: Work): Change {
  return (container, token) => {
    if (Array.isArray(container)) {
      const index = indexOf(container, token)
      if (index === undefined) throw rejectedPatch()
      countMoved(work, container.length - index)
      container.splice(index, 1)
      return
    }
    if (!Object.hasOwn(container, token)) throw rejectedPatch()
    Reflect.deleteProperty(container, token)
  }
}

function replaceIn(value: JsonValue): Change {
  return (container, token) => {
    // A field may be missing, a list item must exist.
    if (!Array.isArray(container)) return setOwn(container, token, value)
    const index = indexOf(container, token)
    if (index === undefined) throw rejectedPatch()
    container[index] = value
  }
}
