import fc from 'fast-check'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { docComment, propertyName, quoted } from './typescript-source.ts'

/** The string literal that the compiler reads from the first statement. */
function readBack(source: string): string | undefined {
  const file = ts.createSourceFile('literal.ts', source, ts.ScriptTarget.ES2023)
  const [statement, ...others] = file.statements
  if (others.length > 0 || statement === undefined || !ts.isExpressionStatement(statement)) {
    return undefined
  }
  const { expression } = statement
  return ts.isStringLiteral(expression) ? expression.text : undefined
}

test('keeps any string when it is quoted', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(readBack(quoted(text))).toBe(text)
    }),
  )
})

test.each([
  ['plain', `'plain'`],
  [`it's`, `"it's"`],
  [`say "hi"`, `'say "hi"'`],
  [`'"`, `'\\'"'`],
  ['back\\slash', `'back\\\\slash'`],
  ['line\nbreak', `'line\\nbreak'`],
  ['\u2028', `'\\u2028'`],
])('quotes %j as %s', (text, literal) => {
  expect(quoted(text)).toBe(literal)
})

test('quotes property names only when needed', () => {
  const names = ['plain', '$ref', '_private', 'x-header', '1st', '', 'naïve', '__proto__']
  expect(names.map(propertyName)).toEqual([
    'plain',
    '$ref',
    '_private',
    `'x-header'`,
    `'1st'`,
    `''`,
    `'naïve'`,
    '__proto__',
  ])
})

test('writes a short text on one line and wraps a longer one', () => {
  expect(docComment('Short.', '  ')).toBe('  /** Short. */\n')
  expect(docComment(undefined, '')).toBe('')
  expect(docComment(' \n ', '')).toBe('')
  const lines = docComment(`First.\n\n${'word '.repeat(40)}`, '  ').split('\n')
  expect(lines.slice(0, 4)).toEqual([
    '  /**',
    '   * First.',
    '   *',
    expect.stringMatching(/^ {3}\* word/),
  ])
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100)
})

test('never lets a text close its comment or address the compiler', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('*/', '* /', '*\u2028/', '**//', '@ts-no' + 'check'),
  )
  fc.assert(
    fc.property(fc.array(text), (parts) => {
      const comment = docComment(parts.join(''), '')
      const file = ts.createSourceFile('comment.ts', `${comment}export {}`, ts.ScriptTarget.ES2023)
      expect(file.statements).toHaveLength(1)
      expect(comment).not.toContain('@ts-')
    }),
  )
})
