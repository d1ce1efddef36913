const columnsMax = 108
const charWidth = 7.8
const lineHeight = 19
const margin = 18
const barHeight = 34

const colours: Readonly<Record<string, string>> = {
  command: '#e6edf3',
  cluster: '#79c0ff',
  loaded: '#79c0ff',
  ready: '#7ee787',
  applied: '#d2a8ff',
  object: '#ffa657',
  run: '#8b949e',
  log: '#8b949e',
}

/** Draws the lines of a terminal as an SVG without external fonts or links. */
export function terminalSvg(title: string, lines: readonly string[]): string {
  const rows = lines.flatMap((line) =>
    wrapped(line).map((text) => ({ text, fill: colourOf(line) })),
  )
  const width = Math.ceil(columnsMax * charWidth + 2 * margin)
  const height = barHeight + rows.length * lineHeight + margin
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (fill, index) => `<circle cx="${margin + index * 18}" cy="17" r="5.5" fill="${fill}"/>`,
  )
  const texts = rows.map(({ text, fill }, index) => {
    const y = barHeight + (index + 1) * lineHeight - 4
    return `<text x="${margin}" y="${y}" fill="${fill}" xml:space="preserve">${escaped(text)}</text>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#0d1117"/>`,
    ...dots,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13">`,
    ...texts,
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}

/** A terminal breaks lines anywhere; this breaks them at spaces, and indents what follows. */
function wrapped(line: string): string[] {
  if (line.length <= columnsMax) return [line]
  const indent = ' '.repeat(18)
  const end = line.lastIndexOf(' ', columnsMax)
  return [line.slice(0, end), ...wrapped(`${indent}${line.slice(end + 1)}`)]
}

/** The word after the time decides, for example `ready`. */
function colourOf(line: string): string {
  const label = line.startsWith('$') || line.startsWith('#') ? 'command' : line.split(/ +/)[1]
  return colours[label ?? ''] ?? '#c9d1d9'
}

function escaped(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
}
