/**
 * Compares two resourceVersions: negative when `a` is older. They are decimal numbers of any
 * length, and Kubernetes guarantees since 1.35 that they can be compared.
 */
export function compareRevisions(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length
  return a < b ? -1 : a > b ? 1 : 0
}
