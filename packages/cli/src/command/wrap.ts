/** Lines longer than this are hard to read on a wide terminal. */
const readableColumns = 100

/** A text as lines that fit; words that do not fit into a line stay whole. */
function wrap(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    if (line === '') line = word
    else if (line.length + 1 + word.length <= columns) line += ` ${word}`
    else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line]
}

/** Paragraphs, which empty lines separate, as lines that fit into the terminal. */
export function wrapParagraphs(text: string, columns: number): string[] {
  const width = Math.min(columns, readableColumns)
  return text
    .split(/\n{2,}/)
    .flatMap((paragraph, index) => [...(index === 0 ? [] : ['']), ...wrap(paragraph, width)])
}

/** The narrowest right column; in a narrower terminal it starts on the next line. */
const rightMin = 40

/** Rows of two columns, the right one wrapped. */
export function wrapTable(rows: readonly (readonly [string, string])[], columns: number): string[] {
  const left = Math.max(...rows.map(([text]) => text.length))
  const width = Math.min(columns, readableColumns + left)
  const indent = left + 4
  const isNarrow = width - indent < rightMin
  return rows.flatMap(([name, text]) => {
    if (isNarrow)
      return [`  ${name}`, ...wrap(text, Math.max(width - 6, 1)).map((line) => `      ${line}`)]
    return wrap(text, width - indent).map((line, index) =>
      `  ${(index === 0 ? name : '').padEnd(left)}  ${line}`.trimEnd(),
    )
  })
}
