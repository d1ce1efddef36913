import type { Style } from '../../command/index.ts'

/** A titled part of the screen. */
export interface Section {
  readonly lines: readonly string[]
  /** How many rows it gets at least, if it has so many. */
  readonly min: number
  /** Shows it in fewer rows than it has lines. */
  shrink(rows: number): readonly string[]
}

/** The rows of the empty line and the title. */
const titleRows = 2

/** A section whose oldest lines are left out first. */
export function latestLast(
  title: string,
  lines: readonly string[],
  options: { readonly style: Style; readonly scroll?: number },
): Section {
  const { style, scroll = 0 } = options
  const head = ['', style.bold(title)]
  const end = Math.max(lines.length - scroll, Math.min(lines.length, 1))
  const until = lines.slice(0, end)
  return {
    lines: lines.length === 0 ? [] : [...head, ...until],
    min: titleRows + 1,
    shrink: (rows) => [...head, ...until.slice(-(rows - titleRows))],
  }
}

/** A section whose first lines are shown, or those around the selected one. */
export function firstOrSelected(
  title: string,
  lines: readonly string[],
  options: { readonly style: Style; readonly selected: number },
): Section {
  const { style, selected } = options
  const head = ['', style.bold(title)]
  return {
    lines: lines.length === 0 ? [] : [...head, ...lines],
    min: titleRows + 2,
    shrink: (rows) => {
      const room = Math.max(rows - titleRows - 1, 1)
      const from = Math.max(0, Math.min(selected - room + 1, lines.length - room))
      const more = style.dim(`  (${lines.length - room} more; ↑ and ↓ select)`)
      return [...head, ...lines.slice(from, from + room), more]
    },
  }
}

/**
 * Distributes rows: an earlier section gets what it needs, as long as the later ones get their
 * minimum.
 */
export function fit(sections: readonly Section[], rows: number): string[] {
  let left = rows
  return sections.flatMap((section, index) => {
    const later = sections.slice(index + 1)
    const reserved = later.reduce((sum, { lines, min }) => sum + Math.min(lines.length, min), 0)
    const room = Math.max(left - reserved, Math.min(left, section.min))
    const shown =
      section.lines.length <= room
        ? section.lines
        : room <= titleRows
          ? []
          : section.shrink(room).slice(0, room)
    left -= shown.length
    return shown
  })
}
