import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import type { Request } from '../../test/conformance/conformance-case.ts'
import type { Choices } from './choices.ts'
import type { FuzzedKind } from './fuzzed-kinds.ts'
import { mutate } from './mutations.ts'
import { randomValue } from './random-values.ts'

/** A patch with its content type, and the kind of change. */
interface RandomPatch {
  readonly type: string
  readonly body: Request['body']
  readonly mutation: string
  readonly isApply: boolean
}

/** A patch of one of the four types. */
export function randomPatch(choices: Choices, kind: FuzzedKind, manifest: JsonObject): RandomPatch {
  const { object, mutation } = mutate(choices, manifest, kind.schema)
  const form = choices.one(['merge', 'strategic', 'json', 'apply', 'apply', 'odd'] as const)
  switch (form) {
    case 'merge':
      return patch('application/merge-patch+json', withoutSome(choices, object), mutation)
    case 'strategic': {
      const body = choices.isLikely(0.4) ? withDirective(choices, object) : object
      return patch('application/strategic-merge-patch+json', withoutSome(choices, body), mutation)
    }
    case 'json':
      return patch('application/json-patch+json', operations(choices, manifest), 'operations')
    case 'apply':
      return { ...patch('application/apply-patch+yaml', object, mutation), isApply: true }
    case 'odd': {
      const type = choices.one([
        'application/merge-patch+json',
        'application/strategic-merge-patch+json',
        'application/json-patch+json',
        'application/apply-patch+yaml',
        'application/apply-patch+cbor',
        'application/json',
        'application/merge-patch+json; charset=utf-8',
        'text/plain',
      ])
      const text = choices.one(['', '{', 'null', '[]', '{}', '1', '"x"', 'a: b', '{"a":1}x'])
      return patch(type, { text }, 'a body of another form')
    }
  }
}

function patch(type: string, body: Request['body'], mutation: string): RandomPatch {
  return { type, body, mutation, isApply: false }
}

/** Only some of the parts of an object, so that a patch changes only these. */
function withoutSome(choices: Choices, object: JsonObject): JsonObject {
  const entries = Object.entries(object).filter(() => choices.isLikely(0.6))
  return Object.fromEntries(entries)
}

const directives: readonly JsonObject[] = [
  { $patch: 'delete' },
  { $patch: 'replace' },
  { $patch: 'merge' },
  { $patch: 'x' },
  { $retainKeys: ['a'] },
  { $retainKeys: 'a' },
  { '$setElementOrder/finalizers': ['a'] },
  { '$deleteFromPrimitiveList/finalizers': ['example.com/f'] },
  { '$setElementOrder/containers': [{ name: 'x' }] },
]

function withDirective(choices: Choices, object: JsonObject): JsonObject {
  const name = choices.one([...Object.keys(object), ''])
  const at = object[name]
  const directive = choices.one(directives)
  if (!isJsonObject(at ?? null)) return { ...object, ...directive }
  return { ...object, [name]: { ...(at as JsonObject), ...directive } }
}

function operations(choices: Choices, manifest: JsonObject): JsonValue {
  const paths = [
    ...pointersOf(manifest, ''),
    '',
    '/x',
    '/metadata/labels/x',
    '/spec/-',
    'x',
    '/a/b',
  ]
  return Array.from({ length: 1 + choices.below(2) }, (): JsonObject => {
    const op = choices.one(['add', 'remove', 'replace', 'move', 'copy', 'test', 'x', ''])
    const value = choices.isLikely(0.9) ? { value: randomValue(choices) } : {}
    const from = op === 'move' || op === 'copy' ? { from: choices.one(paths) } : {}
    return { op, path: choices.one(paths), ...value, ...from }
  })
}

function pointersOf(value: JsonValue, path: string): string[] {
  const entries = Array.isArray(value)
    ? value.map((item, index): [string, JsonValue] => [String(index), item])
    : isJsonObject(value)
      ? Object.entries(value)
      : []
  return entries.flatMap(([key, item]) => {
    const at = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    return [at, ...pointersOf(item, at)]
  })
}
