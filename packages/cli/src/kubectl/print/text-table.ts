/** The minimum width of columns, and the space between them. */
const widthMin = 6
const gap = 3

/** Lines in columns as kubectl prints them. Widths are kept, so that later lines are aligned. */
export class TextTable {
  #widths: number[] = []

  /** Formats rows; a later call keeps at least the widths of earlier calls. */
  lines(rows: readonly (readonly string[])[]): string[] {
    for (const row of rows) {
      for (const [index, cell] of row.slice(0, -1).entries()) {
        const width = Math.max(widthMin, [...cell].length + gap)
        this.#widths[index] = Math.max(this.#widths[index] ?? 0, width)
      }
    }
    return rows.map((row) =>
      row
        .map((cell, index) =>
          index === row.length - 1
            ? cell
            : cell + ' '.repeat((this.#widths[index] ?? 0) - [...cell].length),
        )
        .join(''),
    )
  }
}
