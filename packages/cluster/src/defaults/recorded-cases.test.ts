import { readFileSync } from 'node:fs'
import type { JsonObject, JsonValue } from 'setpoint/schema'
import { describe, expect, it } from 'vitest'
import { decodeTyped, encodeJson, toStoredForm } from '../codec/index.ts'
import { builtinData } from '../data/index.ts'
import { metadataOf } from '../object/index.ts'
import {
  applyBuiltinDefaults,
  completedByRead,
  prepareForCreate,
  prepareForUpdate,
} from './index.ts'
import { withoutAdmission } from './testdata/without-admission.ts'

function recorded<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`./testdata/${name}.json`, import.meta.url), 'utf8')) as T
}

interface Kind {
  readonly group: string
  readonly apiVersion: string
  readonly kind: string
}

function kindOf(object: JsonObject): Kind {
  const { apiVersion, kind } = object as unknown as Kind
  return { apiVersion, kind, group: apiVersion.includes('/') ? apiVersion.replace(/\/.*/, '') : '' }
}

function decoded(sent: JsonObject): JsonObject {
  const { apiVersion, kind } = kindOf(sent)
  const { object } = decodeTyped({ apiVersion, kind, value: sent })
  applyBuiltinDefaults(apiVersion, kind, object)
  return object
}

/** The fields that the server's generic layer sets before the preparation of a kind. */
function setSystemFields(object: JsonObject, from: JsonObject): void {
  const target = metadataOf(object) as unknown as JsonObject
  const source = metadataOf(from) as unknown as JsonObject
  const names = ['uid', 'creationTimestamp', 'deletionTimestamp', 'resourceVersion', 'namespace']
  for (const key of [...names, 'name']) {
    const value = source[key]
    if (value !== undefined) target[key] = value
  }
}

/** The object as it is read back. */
function stored(object: JsonObject): JsonObject {
  const { apiVersion, kind } = kindOf(object)
  const completed = completedByRead({ apiVersion, kind }, object)
  return withoutAdmission(completed ?? toStoredForm(apiVersion, kind, object))
}

interface CreateCase {
  readonly case: string
  readonly sent: JsonObject
  readonly stored: JsonObject
}

function create({ sent, stored: answer }: CreateCase): JsonObject {
  const object = decoded(sent)
  setSystemFields(object, answer)
  prepareForCreate({ ...kindOf(sent), object })
  return stored(object)
}

describe('a created object', () => {
  it.each(recorded<CreateCase[]>('recorded-creates'))(
    'is stored like on a real server: $case',
    (example) => {
      expect(create(example)).toEqual(withoutAdmission(example.stored))
    },
  )

  it.each(recorded<CreateCase[]>('more-creates'))(
    'has the same JSON text as on a real server: $case',
    (example) => {
      expect(encodeJson(create(example))).toBe(encodeJson(withoutAdmission(example.stored)))
    },
  )

  it.each(recorded<CreateCase[]>('more-creates'))(
    'does not change when defaults are applied again: $case',
    (example) => {
      const { apiVersion, kind } = kindOf(example.sent)
      const before = create(example)
      const again = structuredClone(before)
      applyBuiltinDefaults(apiVersion, kind, again)
      expect(stored(again)).toEqual(before)
    },
  )
})

/** A path and the value there; without a value, the field is absent. */
type Difference = readonly [readonly string[], JsonValue?]

interface Updates {
  readonly objects: Readonly<Record<string, JsonObject>>
  readonly cases: readonly {
    readonly case: string
    readonly subresource?: string
    readonly live: string
    readonly sent: readonly Difference[]
    readonly stored: readonly Difference[]
  }[]
}

function changed(object: JsonObject, differences: readonly Difference[]): JsonObject {
  const copy = structuredClone(object)
  for (const [path, value] of differences) {
    let at = copy
    for (const key of path.slice(0, -1)) at = at[key] as JsonObject
    const key = path.at(-1) ?? ''
    if (value === undefined) Reflect.deleteProperty(at, key)
    else at[key] = structuredClone(value)
  }
  return copy
}

describe('an updated object', () => {
  const { objects, cases } = recorded<Updates>('recorded-updates')

  it.each(cases)('is stored like on a real server: $case $subresource', (example) => {
    const live = objects[example.live] ?? {}
    const sent = changed(live, example.sent)
    const object = decoded(sent)
    setSystemFields(object, live)
    const old = structuredClone(live)
    const subresource = example.subresource ?? ''
    prepareForUpdate({ ...kindOf(sent), object, old, subresource })
    expect(stored(object)).toEqual(withoutAdmission(changed(live, example.stored)))
    expect(old).toEqual(live)
  })
})

describe('any built-in kind', () => {
  const { kinds } = builtinData.proto()
  const names = Object.entries(kinds).flatMap(([apiVersion, byKind]) =>
    Object.keys(byKind).map((kind) => ({ apiVersion, kind })),
  )

  it('can be defaulted and prepared when it is empty', () => {
    for (const { apiVersion, kind } of names) {
      const sent = { apiVersion, kind, metadata: { name: 'a' } }
      const object = decoded(sent)
      prepareForCreate({ ...kindOf(sent), object })
      const old = structuredClone(object)
      for (const subresource of ['', 'status', 'resize', 'ephemeralcontainers', 'approval']) {
        prepareForUpdate({ ...kindOf(sent), object: decoded(sent), old, subresource })
      }
      expect(object['kind']).toBe(kind)
    }
  })
})
