/** What the documentation shows must work: every TypeScript block that is a whole program compiles. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { compileStrict } from './compile-strict.ts'

const pages = [
  'README.md',
  'packages/setpoint/README.md',
  'docs/reference/cluster.md',
  'docs/reference/definition.md',
  'docs/reference/errors.md',
  'docs/reference/host.md',
  'docs/reference/kinds.md',
  'docs/reference/schema.md',
  'docs/tutorial/handlers.md',
]

test('every whole program in the documentation compiles strictly', async () => {
  const sources: Record<string, string> = {}
  for (const page of pages) {
    const text = await readFile(new URL(`../${page}`, import.meta.url), 'utf8')
    const blocks = [...text.matchAll(/^```ts\n(import [\s\S]*?)^```/gm)].map(
      (match) => match[1] ?? '',
    )
    blocks.forEach((block, index) => {
      sources[`${page.replaceAll('/', '-')}-${index}.ts`] = block
    })
  }
  expect(Object.keys(sources).length).toBeGreaterThanOrEqual(pages.length)
  expect(compileStrict(sources)).toEqual([])
})

test('a wrong program would be found', () => {
  expect(
    compileStrict({ 'wrong.ts': `import { defineResourse } from 'setpoint'` }).join(),
  ).toContain('defineResourse')
})
