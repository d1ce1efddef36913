import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { version } from './version.ts'

test('has the version of package.json', async () => {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  expect((JSON.parse(text) as { version: string }).version).toBe(version)
})
