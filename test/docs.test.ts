/** What the documentation shows must work: every TypeScript block that is a whole program compiles. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { compileStrict } from './compile-strict.ts'

const pages = [
  'README.md',
  'packages/setpoint/README.md',
  'docs/guide/children.md',
  'docs/guide/deletion.md',
  'docs/guide/deploying.md',
  'docs/guide/handlers.md',
  'docs/guide/migrating-from-controller-runtime.md',
  'docs/guide/migrating-from-kopf.md',
  'docs/guide/migrating-from-operator-sdk.md',
  'docs/guide/performance.md',
  'docs/guide/reconcile.md',
  'docs/guide/security.md',
  'docs/guide/status.md',
  'docs/guide/testing.md',
  'docs/reference/cluster.md',
  'docs/reference/definition.md',
  'docs/reference/errors.md',
  'docs/reference/host.md',
  'docs/reference/kinds.md',
  'docs/reference/operator.md',
  'docs/reference/schema.md',
  'docs/tutorial/handlers.md',
]

test('every whole program in the documentation compiles strictly', async () => {
  // New projects have the types of Node, and so have the programs of the documentation.
  const sources: Record<string, string> = { 'node.ts': '/// <reference types="node" />' }
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
