import { expect, test } from 'vitest'
import type { CanonicalState } from './canonical-state.ts'
import { logicalName, randomNamesOf } from './random-names.ts'

const stateOf = (...names: string[]): CanonicalState =>
  new Map(names.map((name) => [name, { uid: '', fields: new Map() }]))

const sets = 'apps/statefulsets default/'

test('what differs between two runs is the random part of a name', () => {
  const one = stateOf(`${sets}oak-0f328bde`, `${sets}oak-nodes-0f328bde`, `${sets}oak-proxy`)
  const other = stateOf(`${sets}oak-0a56d736`, `${sets}oak-nodes-0a56d736`, `${sets}oak-proxy`)
  const names = randomNamesOf([
    { before: stateOf(), one, other },
    // Both runs of the next step begin with what the first run made.
    { before: one, one, other: one },
  ])
  expect(logicalName(`${sets}oak-0f328bde`, names)).toBe(`${sets}oak-*`)
  expect(logicalName(`${sets}oak-bfd2a043`, names)).toBe(`${sets}oak-*`)
  expect(logicalName(`${sets}oak-nodes-bfd2a043`, names)).toBe(`${sets}oak-nodes-*`)
  expect(logicalName(`${sets}oak-bfd2a043-config`, names)).toBe(`${sets}oak-*-config`)
  expect(logicalName(`${sets}oak-proxy`, names)).toBe(`${sets}oak-proxy`)
  expect(logicalName('/secrets default/oak-x', names)).toBe('/secrets default/oak-x')
})

test('an object that only one run has does not make names random', () => {
  const names = randomNamesOf([
    { before: stateOf(), one: stateOf(`${sets}oak`), other: stateOf('/secrets default/oak') },
  ])
  expect(names.prefixes).toEqual([])
})
