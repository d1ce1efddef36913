/**
 * The measurements that are plotted: the row of docs/measurements/operator.md, and a label that needs
 * no context.
 */
const plottedRows: readonly (readonly [row: string, label: string])[] = [
  ['cold: time until all are reconciled (s)', '1,000 Applications created (time)'],
  ['cold: CPU (s)', '1,000 Applications created (CPU)'],
  ['cold: requests', '1,000 Applications created (requests)'],
  ['burst: time until all are reconciled (s)', '1,000 Applications changed (time)'],
  ['latency: Deployment changed, p50 (ms)', 'one Application changed (latency, p50)'],
  ['cache: until synced (s)', 'cache of 20,000 ConfigMaps (time)'],
  ['cache: RSS after it and a collection (MiB)', 'cache of 20,000 ConfigMaps (memory)'],
  ['cold: peak RSS (MiB)', '1,000 Applications created (peak memory)'],
]

const frameworks = [
  { name: 'setpoint', fill: '#1f6feb' },
  { name: 'client-node', fill: '#8b949e' },
] as const

const [labelWidth, plotWidth, rowHeight, barHeight, top] = [290, 420, 40, 12, 62]
const ratioMax = 4

/**
 * Draws docs/measurements/operator.md: what each framework needs, relative to controller-runtime.
 */
export function comparisonSvg(markdown: string): string {
  const width = labelWidth + plotWidth + 60
  const height = top + plottedRows.length * rowHeight + 30
  const x = (ratio: number): number =>
    labelWidth + (Math.min(ratio, ratioMax) / ratioMax) * plotWidth
  const rows = plottedRows.flatMap(([row, label], index) => {
    const y = top + index * rowHeight
    const bars = frameworks.flatMap(({ name, fill }, place) => {
      const ratio = ratioOf(markdown, row, name)
      const barY = y + place * (barHeight + 2)
      return [
        `<rect x="${labelWidth}" y="${barY}" width="${(x(ratio) - labelWidth).toFixed(1)}" height="${barHeight}" fill="${fill}"/>`,
        `<text x="${(x(ratio) + 6).toFixed(1)}" y="${barY + 10}" font-size="11">${ratio.toFixed(2)}</text>`,
      ]
    })
    return [`<text x="${labelWidth - 10}" y="${y + 17}" text-anchor="end">${label}</text>`, ...bars]
  })
  const legend = frameworks.flatMap(({ name, fill }, index) => [
    `<rect x="${labelWidth + index * 110}" y="34" width="12" height="12" fill="${fill}"/>`,
    `<text x="${labelWidth + index * 110 + 18}" y="44">${name}</text>`,
  ])
  const title = 'What an operator needs relative to controller-runtime (1.00); less is better'
  const line = x(1).toFixed(1)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#ffffff"/>`,
    `<g font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif" font-size="13" fill="#1f2328">`,
    `<text x="16" y="22" font-weight="600">${title}</text>`,
    ...legend,
    ...rows,
    `<line x1="${line}" y1="${top - 6}" x2="${line}" y2="${height - 28}" stroke="#cf222e" stroke-dasharray="4 3"/>`,
    `<text x="${line}" y="${height - 10}" text-anchor="middle" font-size="11" fill="#cf222e">controller-runtime</text>`,
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}

/** The ratio to controller-runtime, which the tables have in parentheses. */
function ratioOf(markdown: string, row: string, framework: string): number {
  const lines = markdown.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))
  const head = lines.find((cells) => cells[1] === 'what')
  const cells = lines.find(([, first]) => first === row)
  const ratio = /\(([\d.]+)\)/.exec(cells?.[head?.indexOf(framework) ?? -1] ?? '')?.[1]
  if (ratio === undefined) throw new Error(`no ratio of ${framework} in the row "${row}"`)
  return Number(ratio)
}
