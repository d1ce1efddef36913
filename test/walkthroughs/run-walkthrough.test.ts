import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runWalkthrough, scratchPrefix } from './run-walkthrough.ts'

const documents = 'test/walkthroughs/testdata'

test('reports a wrong document with its line, the command and both outputs', async () => {
  const wrong = `${documents}/wrong.md`
  await expect(runWalkthrough(wrong, { waitMs: 300 })).rejects.toThrow(
    [
      `${wrong}:5: the output differs`,
      '$ echo got',
      'expected:',
      '  expected',
      'got:',
      '  got',
    ].join('\n'),
  )
})

test('reports a command that fails unexpectedly', async () => {
  await expect(runWalkthrough(`${documents}/failing.md`)).rejects.toThrow(
    'failing.md:4: the command ended with 3\n$ echo why && exit 3\nexpected:\n  (nothing)\ngot:\n  why',
  )
})

test('reports a program that ends before its expected output, without waiting', async () => {
  await expect(runWalkthrough(`${documents}/silent.md`)).rejects.toThrow(
    'silent.md:4: the program ended before all lines came',
  )
})

test('removes all files and ends all programs', async () => {
  await runWalkthrough(`${documents}/leaving.md`)
  const left = readdirSync(tmpdir())
    .map((name) => join(tmpdir(), name))
    .filter((path) => path.startsWith(`${scratchPrefix}testdata-`))
  expect(left).toEqual([])
  const programs = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
  expect(programs).not.toContain(`${scratchPrefix}testdata-`)
})
