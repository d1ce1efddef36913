/** A moment as Kubernetes writes it: RFC 3339, UTC, whole seconds. */
export function formatTime(epochMs: number): string {
  return `${new Date(Math.floor(epochMs / 1000) * 1000).toISOString().slice(0, 19)}Z`
}
