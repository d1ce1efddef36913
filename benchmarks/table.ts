/** A Markdown table whose first column is text and whose other columns are numbers. */
export function table(
  header: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
  const rule = header.map((_, index) => (index === 0 ? '---' : '---:'))
  return [line(header), line(rule), ...rows.map(line)].join('\n')
}

/** The median of several timings, in microseconds per call. */
export async function microsecondsOf(calls: number, run: () => unknown): Promise<number> {
  const timings: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const startedMs = performance.now()
    for (let call = 0; call < calls; call += 1) await run()
    timings.push(((performance.now() - startedMs) * 1000) / calls)
  }
  return Number((timings.sort((a, b) => a - b)[2] ?? 0).toPrecision(3))
}
