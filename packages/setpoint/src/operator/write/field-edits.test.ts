import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  decodeMessage,
  editObject,
  encodeObject,
  type MessageTable,
  planOf,
  scanEnvelope,
} from '../../protobuf/index.ts'
import { fieldEdits } from './field-edits.ts'

const identity = { apiVersion: 'v1', kind: 'Test' }
const table: MessageTable = [
  'metadata:!m spec:!m',
  ['name labels:%'],
  ['replicas:?i names:* port:?m', ['port:?i name']],
]
/** The same of a server that knows more. */
const newer: MessageTable = [
  'metadata:!m spec:!m 7extra',
  ['name labels:%'],
  ['replicas:?i names:* port:?m 9more', ['port:?i name 4deep']],
]

const text = fc.stringMatching(/^[a-z]{1,4}$/)
const port = fc.record({ port: fc.nat(), name: text }, { requiredKeys: ['port'] })
const anObject = fc.record({
  metadata: fc.record({
    name: fc.constant('web'),
    labels: fc.dictionary(text, text, { minKeys: 1, maxKeys: 3 }),
  }),
  spec: fc.record(
    { replicas: fc.nat(), names: fc.array(text, { minLength: 1 }), port },
    { requiredKeys: ['replicas'] },
  ),
})

/**
 * What a server that knows more has after an object was read from it, edited towards another one,
 * and sent back.
 */
function replaced(stored: object, before: object, after: object): unknown {
  const body = Buffer.from(encodeObject(planOf(newer, identity), stored) ?? expect.fail())
  const edits = fieldEdits(before, after)
  const { offset, length } = scanEnvelope(body)
  const sent = editObject(planOf(table, identity), { bytes: body, offset, length }, edits)
  const bytes = Buffer.from(sent ?? expect.fail())
  return decodeMessage(planOf(newer, identity), bytes, scanEnvelope(bytes))
}

test('turns any object into any other object', () => {
  fc.assert(
    fc.property(anObject, anObject, (before, after) => {
      expect(replaced(before, before, after)).toEqual({ ...identity, ...after })
    }),
  )
})

test('keeps fields that the message tables do not have, even next to changed ones', () => {
  const spec = { replicas: 1, port: { port: 80, name: 'http' } }
  const known = { metadata: { name: 'web' }, spec }
  const stored = {
    ...known,
    extra: 'kept',
    spec: { ...spec, more: 'kept', port: { ...spec.port, deep: 'kept' } },
  }
  const after = { ...identity, ...known, spec: { replicas: 2, port: { port: 81 } } }
  expect(replaced(stored, known, after)).toEqual({
    ...after,
    extra: 'kept',
    spec: { replicas: 2, more: 'kept', port: { port: 81, deep: 'kept' } },
  })
})
