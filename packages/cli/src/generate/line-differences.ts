/** The maximum number of printed lines. */
const linesMax = 20

/** The lines from the first to the last difference of two texts, prefixed with `-` or `+`. */
export function lineDifferences(before: string, after: string): string[] {
  const [old, fresh] = [before.split('\n'), after.split('\n')]
  const least = Math.min(old.length, fresh.length)
  let start = 0
  while (start < least && old[start] === fresh[start]) start += 1
  let end = 0
  while (end < least - start && old[old.length - 1 - end] === fresh[fresh.length - 1 - end])
    end += 1
  const lines = [
    ...old.slice(start, old.length - end).map((line) => `- ${line}`),
    ...fresh.slice(start, fresh.length - end).map((line) => `+ ${line}`),
  ]
  const left = lines.length - linesMax
  return left > 0 ? [...lines.slice(0, linesMax), `... and ${left} more lines`] : lines
}
