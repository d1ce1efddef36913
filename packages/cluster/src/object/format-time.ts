let lastSecond = NaN
let lastText = ''

/** A time in the format of Kubernetes: RFC 3339, UTC, whole seconds. */
export function formatTime(epochMs: number): string {
  const second = Math.floor(epochMs / 1000)
  // Cached, because every write formats the same second several times.
  if (second !== lastSecond) {
    lastText = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`
    lastSecond = second
  }
  return lastText
}
