let lastSecond = NaN
let lastText = ''

/** A moment as Kubernetes writes it: RFC 3339, UTC, whole seconds. */
export function formatTime(epochMs: number): string {
  const second = Math.floor(epochMs / 1000)
  // Every write asks several times, nearly always for the second that was asked for before.
  if (second !== lastSecond) {
    lastText = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`
    lastSecond = second
  }
  return lastText
}
