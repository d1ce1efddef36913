/** A time as Kubernetes writes it: UTC, in whole seconds. */
export function secondsTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`
}
