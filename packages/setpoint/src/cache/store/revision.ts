/**
 * Compares two resourceVersions: negative when `a` is older. They are decimal numbers of any length, and
 * since 1.35 Kubernetes promises that they may be compared.
 */
export function compareRevisions(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length
  return a < b ? -1 : a > b ? 1 : 0
}
