import { validateValue, type JsonObject, type StructuralSchema } from 'setpoint/schema'
import { describe, expect, test } from 'vitest'
import { withoutOldErrors } from './ratchet.ts'

const short: StructuralSchema = { type: 'string', maxLength: 3 }
const schema: StructuralSchema = {
  type: 'object',
  properties: {
    plain: { type: 'array', items: short },
    byKey: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
      items: { type: 'object', properties: { k: { type: 'string' }, v: short } },
    },
    map: { type: 'object', additionalProperties: short },
    part: {
      type: 'object',
      required: ['z'],
      properties: { a: { type: 'string' }, z: { type: 'string' } },
    },
  },
}

function remaining(old: JsonObject, object: JsonObject): string[] {
  const errors = validateValue(schema, object)
  return withoutOldErrors(errors, { object, old, schema }).map(({ field }) => field)
}

describe('an error that existed before the update', () => {
  test('is ignored where an item moved and its list has keys', () => {
    const old = { byKey: [{ k: 'a', v: 'long' }] }
    expect(remaining(old, { byKey: [{ k: 'b' }, { k: 'a', v: 'long' }] })).toEqual([])
  })

  test('is kept in a changed list without keys', () => {
    expect(remaining({ plain: ['long'] }, { plain: ['long', 'b'] })).toEqual(['plain[0]'])
  })

  test('is ignored in an unchanged list', () => {
    expect(remaining({ plain: ['long'] }, { plain: ['long'], map: { a: 'b' } })).toEqual([])
  })

  test('is ignored by key in a map whose keys contain dots', () => {
    const old = { map: { 'a.b': 'long' } }
    expect(remaining(old, { map: { 'a.b': 'long', c: 'd' } })).toEqual([])
    expect(remaining(old, { map: { 'a.b': 'other' } })).toEqual(['map.a.b'])
  })

  test('is kept when the object that lacks the field changed', () => {
    const old = { part: { a: 'x' } }
    expect(remaining(old, { part: { a: 'x' } })).toEqual([])
    expect(remaining(old, { part: { a: 'y' } })).toEqual(['part.z'])
  })
})
