import { expect, test } from 'vitest'
import { readDocument } from './read-document.ts'

const fence = '```'

function document(...lines: string[]): string {
  return lines.join('\n')
}

test('a console block has commands, each with its expected output', () => {
  const steps = readDocument(
    document('# Title', `${fence}console`, '$ a', 'x', '', 'y', '', '$ b', fence),
  )
  expect(steps).toEqual([
    { kind: 'command', line: 3, command: 'a', expected: ['x', '', 'y'] },
    { kind: 'command', line: 8, command: 'b', expected: [] },
  ])
})

test('a command continues after a backslash and to the end of a here-document', () => {
  const steps = readDocument(
    document(`${fence}console`, '$ a \\', '> b', 'x', "$ cat <<'END'", '$ no', 'END', 'y', fence),
  )
  expect(steps).toEqual([
    { kind: 'command', line: 2, command: 'a \\\nb', expected: ['x'] },
    { kind: 'command', line: 5, command: "cat <<'END'\n$ no\nEND", expected: ['y'] },
  ])
})

test('lines before the first command and after ^C belong to the other terminal', () => {
  const steps = readDocument(document(`${fence}console`, 'more', '$ a', '^C', 'bye', fence))
  expect(steps).toEqual([
    { kind: 'output', line: 2, expected: ['more'] },
    { kind: 'command', line: 3, command: 'a', expected: [] },
    { kind: 'interrupt', line: 4, expected: ['bye'] },
  ])
})

test('a fence with a file name is a file; others are ignored', () => {
  const steps = readDocument(
    document(
      `${fence}ts src/a.ts`,
      'let a',
      '',
      'let b',
      fence,
      `${fence}ts`,
      'x',
      fence,
      `${fence}sh -x`,
      'y',
      fence,
    ),
  )
  expect(steps).toEqual([{ kind: 'file', line: 2, path: 'src/a.ts', text: 'let a\n\nlet b\n' }])
})

test('a fence in a list loses the indentation of the list', () => {
  const steps = readDocument(
    document('- item', `  ${fence}console`, '  $ a', '    x', `  ${fence}`),
  )
  expect(steps).toEqual([{ kind: 'command', line: 3, command: 'a', expected: ['  x'] }])
})

test('blocks of the embedded cluster are left out on a real one', () => {
  const text = document(`${fence}console embedded`, '$ a', fence)
  expect(readDocument(text)).toHaveLength(1)
  expect(readDocument(text, true)).toEqual([])
})

test('a longer fence can show a shorter one', () => {
  const text = document('````md', `${fence}console`, '$ no', fence, '````')
  expect(readDocument(text)).toEqual([])
})

test('reports a fence that is not closed', () => {
  expect(() => readDocument(`${fence}console\n$ a`)).toThrow('line 1: the fence is not closed')
})
