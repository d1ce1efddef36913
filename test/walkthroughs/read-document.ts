/** A command of a document, with the lines that it is said to print. */
export interface CommandStep {
  readonly kind: 'command'
  /** Where it stands in the document, from 1. */
  readonly line: number
  readonly command: string
  readonly expected: readonly string[]
}

/** Something that a reader of a document does. */
export type Step =
  | CommandStep
  /** Writes a file that the document shows. */
  | {
      readonly kind: 'file'
      readonly line: number
      readonly path: string
      readonly text: string
    }
  /** Presses Ctrl-C in the terminal of the latest background command; sees `expected` there. */
  | { readonly kind: 'interrupt'; readonly line: number; readonly expected: readonly string[] }
  /** Sees more in the terminal of the latest background command. */
  | { readonly kind: 'look'; readonly line: number; readonly expected: readonly string[] }

interface Fence {
  readonly info: string
  /** The number of its first line of content. */
  readonly line: number
  readonly lines: readonly string[]
}

/** What a document tells a reader to do, in order. `isReal`: on a real cluster, without the embedded one's blocks. */
export function readDocument(markdown: string, isReal = false): Step[] {
  return fencesOf(markdown).flatMap((fence): Step[] => {
    const [language = '', ...words] = fence.info.split(/\s+/)
    if (language === 'console') {
      return isReal && words.includes('embedded') ? [] : consoleSteps(fence)
    }
    const [path] = words
    // The info string of other fences has a file name, or nothing that concerns us.
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
    if (length === -1) throw new Error(`line ${at + 1}: the fence is never closed`)
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
  if (before.length > 0) steps.push({ kind: 'look', line: first, expected: before })
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

/** The lines of a command: with those that a backslash continues, and with the text of a here-document. */
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
