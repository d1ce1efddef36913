import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeHost } from 'setpoint/host'
import { expect, test } from 'vitest'
import { type CommandDeclaration, parseCommand } from '../command/index.ts'
import { buildCommand } from '../commands/build-command.ts'
import { generateCommand } from '../commands/generate-command.ts'
import { RecordingTerminal } from '../system/testdata/recording-terminal.ts'
import { compilerErrors, shortMessage } from './compiler-errors.ts'
import { startTypeCheck } from './type-check.ts'
import { TypeChecks } from './type-checks.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

const definition = `import * as z from 'zod'
import { defineResource, operator } from 'setpoint'
export default operator(defineResource({
  group: 'example.com', version: 'v1', kind: 'Widget', spec: z.object({ size: z.int32() }),
}))
`

/** A project with one type error, which does not prevent that the operators load. */
class Project implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'setpoint-types-'))

  constructor(options: { readonly hasCompiler: boolean } = { hasCompiler: true }) {
    this.put('package.json', JSON.stringify({ name: 'shop', type: 'module' }))
    this.put('operators.ts', definition)
    this.put('ports.ts', "\n  export const port: number = '80'\n")
    this.put(
      'tsconfig.json',
      JSON.stringify({ compilerOptions: { target: 'es2023', types: [] }, files: ['ports.ts'] }),
    )
    const modules = join(this.folder, 'node_modules')
    mkdirSync(modules)
    const names = ['setpoint', 'zod', ...(options.hasCompiler ? ['typescript'] : [])]
    for (const name of names) symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }

  put(path: string, text: string): void {
    writeFileSync(join(this.folder, path), text)
  }

  async run(command: CommandDeclaration, ...words: string[]) {
    const terminal = new RecordingTerminal()
    const line = parseCommand([command], [command.name, ...words])
    if (line.wants !== 'run') throw new Error('not a command to run')
    const run = await command.load()
    const { signal } = new AbortController()
    const { folder } = this
    await run({ host: nodeHost(), terminal, folder, signal }, line.input)
    return terminal
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true })
  }
}

const found = "TS2322: Type 'string' is not assignable to type 'number'."

test('generate and build refuse type errors with file and line before they write, unless the check is skipped', async () => {
  using project = new Project()
  await expect(project.run(generateCommand)).rejects.toThrow(
    `there is a type error:\nports.ts:2:16: ${found}`,
  )
  await expect(project.run(buildCommand)).rejects.toThrow(`ports.ts:2:16: ${found}`)
  expect(readdirSync(project.folder)).not.toContain('config')
  expect(readdirSync(project.folder)).not.toContain('dist')
  expect((await project.run(generateCommand, '--no-typecheck')).text).toContain('created')
})

test('a project without a compiler or tsconfig.json is not checked, and is informed in one line', async () => {
  using project = new Project({ hasCompiler: false })
  expect((await project.run(generateCommand)).notes).toEqual([
    'types are not checked: typescript is not installed in this project',
  ])
  rmSync(join(project.folder, 'tsconfig.json'))
  expect((await project.run(generateCommand)).notes).toEqual([
    'types are not checked: this project has no tsconfig.json',
  ])
})

test('the failure of a compiler without an error in its format is an error', async () => {
  using project = new Project({ hasCompiler: false })
  const compiler = join(project.folder, 'node_modules/typescript/bin')
  mkdirSync(compiler, { recursive: true })
  writeFileSync(join(compiler, '../package.json'), '{ "name": "typescript" }')
  writeFileSync(join(compiler, 'tsc'), 'console.error("out of memory"); process.exitCode = 7')
  const { result } = startTypeCheck(nodeHost(), project)
  expect(await result).toEqual({
    is: 'checked',
    errors: [
      {
        message: 'node_modules/typescript/bin/tsc ended with code 7: out of memory',
        at: undefined,
      },
    ],
  })
})

test('a new check replaces one that still runs', async () => {
  using project = new Project()
  const results: unknown[] = []
  using checks = new TypeChecks(nodeHost(), project, (result) => results.push(result))
  await Promise.all([checks.check(), checks.check()])
  expect(results).toEqual([{ is: 'checked', errors: [{ message: found, at: 'ports.ts:2:16' }] }])
})

test('an error has all lines of its explanation; its short form has the first and the last', () => {
  const output = [
    'src/a.ts(3,5): error TS2345: Argument of type X is not assignable.',
    '  Types of property spec are incompatible.',
    "    Type 'number' is not assignable to type 'NoSuchField'.",
    "error TS5083: Cannot read file '/tsconfig.base.json'.",
    '',
  ].join('\n')
  const [first, second] = compilerErrors(output)
  expect(first?.at).toBe('src/a.ts:3:5')
  expect(first?.message.split('\n')).toHaveLength(3)
  expect(first === undefined ? '' : shortMessage(first)).toBe(
    "TS2345: Argument of type X is not assignable.\n  Type 'number' is not assignable to type 'NoSuchField'.",
  )
  expect(second).toEqual({
    message: "TS5083: Cannot read file '/tsconfig.base.json'.",
    at: undefined,
  })
})
