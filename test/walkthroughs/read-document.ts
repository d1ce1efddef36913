/** A command of a document, with its expected output. */
export interface CommandStep {
  readonly kind: 'command'
  /** Its line in the document, from 1. */
  readonly line: number
  readonly command: string
  readonly expected: readonly string[]
}

/** A step of a document. */
export type Step =
  | CommandStep
  /** Writes a file of the document. */
  | {
      readonly kind: 'file'
      readonly line: number
      readonly path: string
      readonly text: string
    }
  /** Sends Ctrl-C to the latest background command, and expects this output. */
  | { readonly kind: 'interrupt'; readonly line: number; readonly expected: readonly string[] }
  /** Expects more output of the latest background command. */
  | { readonly kind: 'output'; readonly line: number; readonly expected: readonly string[] }

interface Fence {
  readonly info: string
  /** The line of its first content. */
  readonly line: number
  readonly lines: readonly string[]
}

/**
 * The steps of a document, in order. `isReal`: on a real cluster, without the embedded
 * one's blocks.
 */
export function readDocument(markdown: string, isReal = false): Step[] {
  return fencesOf(markdown).flatMap((fence): Step[] => {
    const [language = '', ...words] = fence.info.split(/\s+/)
    if (language === 'console') {
      return isReal && words.includes('embedded') ? [] : consoleSteps(fence)
    }
    const [path] = words
    // The info string of other fences has a file name, or is ignored.
    if (path === undefined || !/^[\w@.][\w@./-]*\.\w+$/.test(path)) return []
    return [{ kind: 'file', line: fence.line, path, text: `${fence.lines.join('\n')}\n` }]
  })
}

function fencesOf(markdown: string): Fence[] {
  const fences: Fence[] = []
  const lines = markdown.split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    const [, indent = '', ticks = '', info = ''] =
      /^( *)(`{3,})([^`]*)$/.exec(lines[at] ?? '') ?? []
    if (ticks === '') continue
    const begin = at + 1
    const isEnd = (line: string): boolean => line.trim() === ticks
    const length = lines.slice(begin).findIndex(isEnd)
    if (length === -1) throw new Error(`line ${at + 1}: the fence is not closed`)
    const content = lines
      .slice(begin, begin + length)
      .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart()))
    fences.push({ info: info.trim(), line: begin + 1, lines: content })
    at = begin + length
  }
  return fences
}

function consoleSteps({ line: first, lines }: Fence): Step[] {
  const steps: Step[] = []
  let at = 0
  const expectedLines = (): string[] => {
    const begin = at
    while (at < lines.length && !/^\$ |^\^C$/.test(lines[at] ?? '')) at += 1
    return withoutEmptyEnds(lines.slice(begin, at))
  }
  const before = expectedLines()
  if (before.length > 0) steps.push({ kind: 'output', line: first, expected: before })
  while (at < lines.length) {
    const line = first + at
    if (lines[at] === '^C') {
      at += 1
      steps.push({ kind: 'interrupt', line, expected: expectedLines() })
      continue
    }
    const command = commandLines(lines, at)
    at += command.length
    steps.push({ kind: 'command', line, command: command.join('\n'), expected: expectedLines() })
  }
  return steps
}

/**
 * The lines of a command: with those that a backslash continues, and with the text of a
 * here-document.
 */
function commandLines(lines: readonly string[], begin: number): string[] {
  const command = [(lines[begin] ?? '').slice(2)]
  const next = (): string | undefined => lines[begin + command.length]
  while (command.at(-1)?.endsWith('\\') === true && next() !== undefined) {
    command.push((next() ?? '').replace(/^> /, ''))
  }
  const end = /<<-?\s*(['"]?)(\w+)\1/.exec(command.join('\n'))?.[2]
  while (end !== undefined && next() !== undefined) {
    const line = (next() ?? '').replace(/^> /, '')
    command.push(line)
    if (line.trim() === end) break
  }
  return command
}

function withoutEmptyEnds(lines: readonly string[]): string[] {
  let [from, to] = [0, lines.length]
  while (from < to && (lines[from] ?? '').trim() === '') from += 1
  while (to > from && (lines[to - 1] ?? '').trim() === '') to -= 1
  return lines.slice(from, to)
}
