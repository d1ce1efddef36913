import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeHost } from 'setpoint/host'
import { afterAll, expect, test } from 'vitest'
import { RecordingTerminal } from '../system/testdata/recording-terminal.ts'
import { loadOperators } from './load-operators.ts'

const root = mkdtempSync(join(tmpdir(), 'setpoint-load-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const application = fileURLToPath(
  new URL('../../../../operators/01-application/operator.ts', import.meta.url),
)
let count = 0

async function loadNames(text: string, manifest = '{ "type": "module" }'): Promise<string[]> {
  const folder = join(root, `project-${(count += 1)}`)
  mkdirSync(join(folder, 'src'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), manifest)
  writeFileSync(join(folder, 'src/operators.ts'), text)
  const { signal } = new AbortController()
  const context = { host: nodeHost(), terminal: new RecordingTerminal(), folder, signal }
  const { operators } = await loadOperators(context)
  return operators.map(({ declaration }) => declaration.options.name)
}

const importing = `import one from ${JSON.stringify(application)}\n`

test('accepts an operator or a list of operators', async () => {
  const names = ['applications.shclub.github.io']
  expect(await loadNames(`${importing}export default one`)).toEqual(names)
  expect(await loadNames(`${importing}export default [one]`)).toEqual(names)
})

test.each([
  ['export const one = 1', 'has no default export'],
  ['export default []', 'is an empty list'],
  ['export default 42', 'is not an operator'],
  ['export default { declaration: 3 }', 'is not an operator'],
  ['export default () => []', 'is not an operator'],
  [
    `${importing}export default [one, one]`,
    /^two operators of .* have the name applications\.shclub\.github\.io$/,
  ],
  ["throw new Error('boom')", /failed to load: boom\n {2}at .*operators\.ts:1:7\)?$/],
  ['export default [', /operators\.ts:1:\d+: ERROR: .*$/],
])('refuses %s', async (text, message) => {
  await expect(loadNames(text)).rejects.toThrow(message)
})

test.each([['null'], ['[]'], ['"text"'], ['{']])('refuses %s as package.json', async (manifest) => {
  await expect(loadNames('', manifest)).rejects.toThrow(/package\.json is not/)
})
