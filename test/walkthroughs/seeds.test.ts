import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { documents, withPrograms } from './documents.ts'

test('every document of an operator that docs/seeds.md links is executed', () => {
  const text = readFileSync(new URL('../../docs/seeds.md', import.meta.url), 'utf8')
  const linked = [...text.matchAll(/\(\.\.\/(operators\/[^)]+\.md)\)/g)].map(([, path]) => path)
  const executed = new Set([...documents, ...withPrograms.map(([document]) => document)])
  expect(linked.length).toBeGreaterThan(10)
  expect(linked.filter((path) => !executed.has(path ?? ''))).toEqual([])
})
