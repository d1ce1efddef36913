/** Every TypeScript block of the documentation that is a whole program compiles. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { compileTogether } from './compile-together.ts'

const pages = [
  'README.md',
  'packages/setpoint/README.md',
  'docs/guide/children.md',
  'docs/guide/deletion.md',
  'docs/guide/deploying.md',
  'docs/guide/handlers.md',
  'docs/guide/migrating-from-controller-runtime.md',
  'docs/guide/migrating-from-kopf.md',
  'docs/guide/migrating-from-kubeops.md',
  'docs/guide/migrating-from-operator-sdk.md',
  'docs/guide/performance.md',
  'docs/guide/prove-it.md',
  'docs/guide/reconcile.md',
  'docs/guide/security.md',
  'docs/guide/status.md',
  'docs/guide/testing.md',
  'docs/guide/webhooks.md',
  'docs/reference/client.md',
  'docs/reference/cluster.md',
  'docs/reference/definition.md',
  'docs/reference/errors.md',
  'docs/reference/host.md',
  'docs/reference/kinds.md',
  'docs/reference/operator.md',
  'docs/reference/schema.md',
  'docs/tutorial/handlers.md',
]

/**
 * The programs by page, and one with an error, to test the check. They are compiled together, which
 * is faster.
 */
async function allPrograms(): Promise<Record<string, string>> {
  const sources: Record<string, string> = {
    'wrong.ts': `import { defineResourse } from 'setpoint'`,
  }
  for (const page of pages) {
    const text = await readFile(new URL(`../${page}`, import.meta.url), 'utf8')
    const blocks = [...text.matchAll(/^```ts\n(import [\s\S]*?)^```/gm)].map(
      (match) => match[1] ?? '',
    )
    blocks.forEach((block, index) => {
      sources[`${page.replaceAll('/', '-')}-${index}.ts`] = block
    })
  }
  return sources
}

test('compiles every whole program of the documentation strictly, and finds errors', async () => {
  const programs = await allPrograms()
  expect(Object.keys(programs).length).toBeGreaterThan(pages.length)
  const errors = await compileTogether(programs)
  expect(errors.filter((line) => line.startsWith('wrong.ts')).join('\n')).toContain(
    'defineResourse',
  )
  expect(errors.filter((line) => !line.startsWith('wrong.ts'))).toEqual([])
})
