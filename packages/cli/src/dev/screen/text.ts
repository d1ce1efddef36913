/** Text of operators as one line without control sequences. */
export function plain(text: string): string {
  const [first = '', ...others] = text.split('\u001b')
  const parts = others.map((part) => part.replace(/^(?:\[[0-?]*[ -/]*[@-~]|\]\P{Cc}*|.)/su, ''))
  return [first, ...parts].join('').replaceAll(/\p{Cc}+/gu, ' ')
}

/**
 * Cuts a line to the width. Colour codes have no width and are kept, including those that reset a
 * colour.
 */
export function cut(line: string, columns: number): string {
  let room = columns
  const [first = '', ...parts] = line.split('\u001b[')
  const short = (words: string): string => {
    const shown = words.length <= room ? words : room === 0 ? '' : `${words.slice(0, room - 1)}…`
    room = Math.max(room - words.length, 0)
    return shown
  }
  const shown = [short(first)]
  for (const part of parts) {
    const end = part.indexOf('m') + 1
    shown.push(`\u001b[${part.slice(0, end)}${short(part.slice(end))}`)
  }
  return shown.join('')
}

/** A text as indented lines that fit; a word that does not fit into a line is broken. */
export function wrapped(text: string, columns: number, indent = 2): string[] {
  const width = Math.max(columns - indent, 1)
  const lines: string[] = []
  let line = ''
  for (const word of plain(text).split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
    for (; line.length > width; line = line.slice(width)) lines.push(line.slice(0, width))
  }
  return [...lines, line].map((each) => `${' '.repeat(indent)}${each}`)
}

/**
 * A shell command as lines that can be copied: a backslash at the end of a line continues it, so
 * the next line has no indentation.
 */
export function shellLines(command: string, columns: number): string[] {
  if (command.length + 2 <= columns || columns < 10) return [`  ${command}`]
  const lines: string[] = []
  let rest = command
  while (rest.length > columns) {
    let end = columns - 1
    // An escaped character stays with its backslash.
    while (rest.charAt(end - 1) === '\\') end -= 1
    lines.push(`${rest.slice(0, end)}\\`)
    rest = rest.slice(end)
  }
  return [...lines, rest]
}

const preambleEnd = ' is invalid: '

/**
 * A refusal of the server with the wrong field first, because the end of a line is cut off:
 * `spec.replicas: Required value (apply of Deployment default/web was refused: ...)`.
 */
export function fieldFirst(message: string): string {
  const at = message.lastIndexOf(preambleEnd)
  if (at < 0) return message
  const preamble = message.slice(0, at + preambleEnd.length - 2)
  return `${message.slice(at + preambleEnd.length)} (${preamble})`
}
