/**
 * The rules of this repository, as tests. Each rule is a function from the source tree to its
 * violations. It runs on the repository, and on small trees that violate it, to test the rule
 * itself.
 */
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { bannedGlobalViolations } from './tidy/banned-globals.ts'
import { cycleViolations } from './tidy/cycles.ts'
import { dependencyClaimViolations } from './tidy/dependency-claims.ts'
import {
  deadFileViolations,
  docCommentViolations,
  unusedExportViolations,
  wildcardViolations,
} from './tidy/exports.ts'
import { expectInCallbackViolations } from './tidy/expect-in-callbacks.ts'
import { fileNameViolations, folderSizeViolations } from './tidy/folders.ts'
import { layerViolations } from './tidy/layers.ts'
import { lengthViolations } from './tidy/lengths.ts'
import { lockFileViolations } from './tidy/lock-file.ts'
import { markdownViolations } from './tidy/markdown.ts'
import { markerViolations } from './tidy/markers.ts'
import { privateDataViolations } from './tidy/private-data.ts'
import { importViolations, readSourceTree, type SourceTree } from './tidy/source-tree.ts'
import { vocabularyViolations } from './tidy/vocabulary.ts'

const repository = await readSourceTree(fileURLToPath(new URL('..', import.meta.url)))

const manifest = JSON.stringify({
  name: 'setpoint',
  peerDependencies: { zod: '*' },
  exports: { '.': { '@setpoint/source': './src/index.ts' } },
})

function treeOf(files: Record<string, string>): SourceTree {
  return new Map(Object.entries({ 'packages/setpoint/package.json': manifest, ...files }))
}

const src = 'packages/setpoint/src'

interface Rule {
  readonly sentence: string
  readonly check: (tree: SourceTree) => string[]
  /** Trees that break the rule, each with a part of the message it must cause. */
  readonly broken: readonly (readonly [files: Record<string, string>, message: string])[]
  /** A tree that does not break it. */
  readonly allowed?: Record<string, string>
}

const rules: readonly Rule[] = [
  {
    sentence: 'folders import only lower layers',
    check: layerViolations,
    broken: [
      [
        {
          [`${src}/errors/a.ts`]: "import { b } from '../host/b.ts'",
          [`${src}/host/b.ts`]: 'export const b = 1',
        },
        'errors must not import host',
      ],
      [
        {
          [`${src}/definition/a.ts`]: "export type { B } from '../host/b.ts'",
          [`${src}/host/b.ts`]: 'export type B = 1',
        },
        'definition must not import host',
      ],
      [{ [`${src}/misc/a.ts`]: '' }, 'misc is not in the list of layers'],
    ],
  },
  {
    sentence: 'relative imports name an existing file',
    check: importViolations,
    broken: [
      [{ 'packages/x/a.ts': "import './b.js'", 'packages/x/b.ts': '' }, './b.js leads to no file'],
      [{ 'packages/x/a.ts': "import '../host'" }, '../host leads to no file'],
      [{ 'packages/x/a.ts': 'await import(name)' }, 'the import of ? leads to no file'],
    ],
  },
  {
    sentence: 'callbacks that are handed to the product contain no assertions',
    check: expectInCallbackViolations,
    broken: [
      [
        {
          'packages/x/a.test.ts':
            "test('a', async () => { operator(Kind).reconcile(async () => expect(1).toBe(1)) })",
        },
        'packages/x/a.test.ts:1: expect in a callback of operator(Kind).reconcile',
      ],
      [
        { 'packages/x/a.test.ts': 'start({ onRunEnd(report) { expect(report).toBe(1) } })' },
        'expect in a callback of start',
      ],
      [
        { 'packages/x/a.test.ts': 'new Controller({ reconcile: [() => expect(1).toBe(1)] })' },
        'expect in a callback of Controller',
      ],
    ],
    allowed: {
      'packages/x/a.test.ts': [
        "import { inEveryWorld } from './testdata/worlds.ts'",
        'const eventually = async (check: () => void) => check()',
        "test.each([1])('a', () => expect(1).toBe(1))",
        "inEveryWorld('a', () => expect(1).toBe(1))",
        'eventually(() => expect(1).toBe(1))',
        'fc.assert(fc.property(fc.integer(), (n) => expect(n).toBe(n)))',
        '[1].forEach((n) => expect(n).toBe(1))',
        'start({ onRunEnd: (report) => reports.push(expect.objectContaining(report)) })',
      ].join('\n'),
      'packages/x/testdata/worlds.ts': 'export const inEveryWorld = 1',
    },
  },
  {
    sentence: 'imports have no cycles',
    check: cycleViolations,
    broken: [
      [
        {
          'packages/x/a.ts': "import './b.ts'",
          'packages/x/b.ts': "export * from './c.ts'",
          'packages/x/c.ts': "await import('./a.ts')",
        },
        'packages/x/a.ts -> packages/x/b.ts -> packages/x/c.ts -> packages/x/a.ts',
      ],
    ],
  },
  {
    sentence: 'time, randomness, network and process are used only through host/',
    check: bannedGlobalViolations,
    broken: [
      ...Object.entries({
        'const t = Date.now()': 'use host.now()',
        'const t = new Date()': 'use host.now()',
        'class Clock extends Date {}': 'use host.now()',
        'const { now } = Date': 'use host.now()',
        'setTimeout(run, 5)': 'use host.setTimer(ms, run)',
        'const wait = setTimeout': 'use host.setTimer(ms, run)',
        'const f = (wait = setTimeout) => wait': 'use host.setTimer(ms, run)',
        'class A { wait = setTimeout }': 'use host.setTimer(ms, run)',
        'globalThis.setTimeout(run, 5)': 'globalThis is only for host/',
        'const n = Math.random()': 'use host.random()',
        'const { random } = Math': 'use host.random()',
        "const n = Math['random']()": 'use host.random()',
        'const signal = AbortSignal.timeout(5)': 'use host.sleep(ms, signal)',
        'const id = crypto.randomUUID()': 'host.uuid()',
        'process.exit(1)': 'host.env(name)',
        'const o = { process }': 'host.env(name)',
        "await fetch('x')": 'use host.request(...)',
        "console.error('x')": 'use host.log(line)',
        "import fs from 'node:fs'": 'use the host',
        "import fs from 'fs'": 'use the host',
        "export { readFile } from 'node:fs/promises'": 'use the host',
        "await import('node:fs')": 'use the host',
        "import { Agent } from 'undici'": 'undici is not a dependency of packages/setpoint',
        "eval('1')": 'code is never made from text',
        "new Function('1')": 'code is never made from text',
      }).map(([code, message]) => [{ [`${src}/errors/a.ts`]: code }, message] as const),
    ],
  },
  {
    sentence: 'files and functions are short',
    check: lengthViolations,
    broken: [
      [{ [`${src}/a.ts`]: '\n'.repeat(400) + 'x' }, '401 lines, at most 400'],
      [{ [`${src}/a.test.ts`]: '\n'.repeat(800) + 'x' }, '801 lines, at most 800'],
      [{ [`${src}/a.ts`]: `const f = () => {${'\n'.repeat(70)}}` }, 'a function of 71 lines'],
      [{ 'README.md': 'word '.repeat(601) }, '601 words, at most 600'],
    ],
  },
  {
    sentence: 'a folder has at most 20 source files',
    check: folderSizeViolations,
    broken: [
      [
        Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`${src}/x/f${n}.ts`, ''])),
        `${src}/x: 21 source files, at most 20`,
      ],
    ],
  },
  {
    sentence: 'file names are unique in a package',
    check: fileNameViolations,
    broken: [
      [
        { [`${src}/x/pod.ts`]: '', [`${src}/y/pod.ts`]: '' },
        `${src}/y/pod.ts: ${src}/x/pod.ts has the same name`,
      ],
    ],
  },
  {
    sentence: 'no leftover markers, silenced checkers or skipped tests',
    check: markerViolations,
    broken: [
      [{ 'a.ts': '// TO' + 'DO: later' }, 'leftover TO' + 'DO'],
      [{ 'a.ts': '// @ts-ig' + 'nore' }, 'leftover @ts-ig' + 'nore'],
      [{ 'a.ts': '// eslint-dis' + 'able-next-line' }, 'leftover eslint-dis' + 'able'],
      [{ 'a.ts': 'const x = y as an' + 'y' }, 'leftover as an' + 'y'],
      [{ 'a.ts': '// @ts-no' + 'check' }, 'leftover @ts-no' + 'check'],
      [{ 'a.test.ts': 'test.on' + "ly('x', f)" }, 'leftover test.on' + 'ly'],
      [{ 'a.test.ts': 'describe.each([]).sk' + "ip('x', f)" }, 'leftover describe'],
    ],
  },
  {
    sentence: 'every file is used',
    check: deadFileViolations,
    broken: [
      [
        {
          [`${src}/index.ts`]: "export { a } from './a.ts'",
          [`${src}/a.ts`]: '',
          [`${src}/b.ts`]: '',
        },
        `${src}/b.ts: nothing imports`,
      ],
      [
        {
          [`${src}/index.ts`]: '',
          [`${src}/c.ts`]: '',
          [`${src}/c.test.ts`]: "import './c.ts'",
        },
        `${src}/c.ts: nothing imports`,
      ],
    ],
  },
  {
    sentence: 'every export is used or public',
    check: unusedExportViolations,
    broken: [
      [
        {
          [`${src}/index.ts`]: "export { a } from './a.ts'",
          [`${src}/a.ts`]: 'export const a = 1\nexport const b = 2',
          [`${src}/a.test.ts`]: "import { b } from './a.ts'",
        },
        'the export b is used nowhere else',
      ],
      [
        {
          [`${src}/index.ts`]: "export { a } from './x/index.ts'",
          [`${src}/x/index.ts`]: "export { a, c } from './a.ts'",
          [`${src}/x/a.ts`]: 'export const a = 1\nexport const c = 2',
        },
        `${src}/x/index.ts: the export c is used nowhere else`,
      ],
    ],
  },
  {
    sentence: 'every public export has a doc comment',
    check: docCommentViolations,
    broken: [
      [
        {
          [`${src}/index.ts`]: "export { a } from './x/index.ts'",
          [`${src}/x/index.ts`]: "export { a } from './a.ts'",
          [`${src}/x/a.ts`]: '// Not a doc comment.\nexport const a = 1',
        },
        'the public export a has no doc comment',
      ],
      [{ [`${src}/index.ts`]: "export { gone } from './gone.ts'" }, 'gone leads to no declaration'],
    ],
  },
  {
    sentence: 'modules export by name',
    check: wildcardViolations,
    broken: [
      [{ [`${src}/a.ts`]: "export * from './b.ts'" }, 'no wildcard'],
      [{ [`${src}/a.ts`]: 'export default 1' }, 'no default'],
      [{ [`${src}/a.ts`]: 'export default function f() {}' }, 'no default'],
      [{ [`${src}/a.ts`]: 'const a = 1\nexport { a as default }' }, 'no default'],
    ],
  },
  {
    sentence: 'every path and command written in Markdown exists',
    check: markdownViolations,
    broken: [
      [{ 'docs/a.md': 'see `docs/b.md`' }, 'docs/b.md does not exist'],
      [{ 'docs/a.md': 'see [b](./b.md#top)' }, './b.md does not exist'],
      [{ 'docs/a.md': 'see [b](b.md "title")', 'x/b.md': '' }, 'b.md does not exist'],
      [{ 'docs/a.md': '[b]: ./b.md' }, './b.md does not exist'],
      [{ 'docs/a.md': 'the folder `packages/gone/`' }, 'packages/gone/ does not exist'],
      [{ 'docs/a.md': '```sh\nnode scripts/gone.ts\n```' }, 'scripts/gone.ts does not exist'],
      [{ 'docs/a.md': '```sh\nnpm run nothing\n```', 'package.json': '{}' }, '`npm run nothing`'],
    ],
  },
  {
    sentence: 'documents name the dependencies of package.json',
    check: dependencyClaimViolations,
    broken: [
      [
        { 'SECURITY.md': 'Dependencies of `setpoint`: none. Peer dependencies: none.' },
        'SECURITY.md: write "Dependencies of `setpoint`: none. Peer dependencies: `zod`."',
      ],
    ],
  },
  {
    sentence: 'texts use the words of the glossary',
    check: vocabularyViolations,
    broken: [
      [{ 'a.ts': '// Whoever was faster wins.' }, '"Whoever"; write instead: name the subject'],
      [{ 'a.test.ts': "test('is looked at anew', f)" }, '"anew"; write instead: again'],
      [{ 'a.md': 'It starts at once.' }, '"at once"; write instead: immediately'],
      [{ 'a/testdata/b.ts': '// A stop is no failure.' }, '"is no failure"; write instead: is not'],
      [{ 'a.md': 'It works, also when it rains.' }, '", also when"; write instead: even when'],
      [{ 'a.ts': '// The cache may not have it.' }, 'write instead: cannot, must not'],
      [{ 'a.test.ts': "test('a user may not read', f)" }, 'write instead: cannot, must not'],
      [{ 'a.md': 'The file is beside the module.' }, '"beside"; write instead: next to'],
      [
        { 'a.ts': '// The server is not asked again.' },
        '"is not asked"; write instead: the active',
      ],
    ],
    allowed: {
      'a.ts': "// There is no failure, and there are no retries.\nat.invalid('may not be empty')",
    },
  },
  {
    sentence: 'the lock file is complete for every platform',
    check: lockFileViolations,
    broken: [
      [
        {
          'package-lock.json': JSON.stringify({
            packages: { 'node_modules/a': { optionalDependencies: { 'a-darwin': '1.0.0' } } },
          }),
        },
        'node_modules/a needs a-darwin, which is not locked',
      ],
    ],
  },
  {
    sentence: 'files contain no local paths, registries or folders outside of the repository',
    check: privateDataViolations,
    broken: [
      [{ 'a.md': 'see /ho' + 'me/me/x' }, 'a local path'],
      [{ 'package-lock.json': '"resolved": "ht' + 'tps://x"' }, 'a download address'],
      [{ '.npmrc': 'regis' + 'try=x' }, 'a package registry'],
      [{ 'a.ts': "'regi" + 'stry.npm' + "js.org'" }, 'a package registry'],
      [{ 'a.md': 'see ../sha' + 'red/x' }, 'a folder outside the repository'],
    ],
  },
]

test('allows pure computations', () => {
  const pureSource = `
    import * as z from 'zod'
    export const a = Math.max(1, 2), b = new Date(5), c = b instanceof Date, d = Date.UTC(2020, 1)
    export const f = (process: { fetch: number }, { fetch }: { fetch: number }) => process.fetch + fetch
    export interface Crypto { crypto: Date; fetch(): void }
    export class K { get process() { return z } fetch() {} }
    export const o = { setTimeout: 1, console: 2 }.setTimeout
  `
  expect(bannedGlobalViolations(treeOf({ [`${src}/errors/a.ts`]: pureSource }))).toEqual([])
})

describe.each(rules)('$sentence', ({ check, broken, allowed }) => {
  test('holds in this repository', () => {
    expect(check(repository)).toEqual([])
    expect(check(treeOf(allowed ?? {}))).toEqual([])
  })

  test.each(broken)('is violated by %j', (files, message) => {
    expect(check(treeOf(files)).join('\n')).toContain(message)
  })
})
