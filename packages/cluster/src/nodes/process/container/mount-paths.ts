/** The directory of this machine for a path in a container. */
export interface MountedPath {
  /** `/data` */
  readonly inside: string
  readonly outside: string
  /** It is not a volume, but contains some: paths below it that no volume has stay as they are. */
  readonly isParent?: boolean
}

/** With one of these characters before or after it, a path is only part of a longer one. */
const before = /[\w./-]/
const after = /[\w.-]/

/**
 * Replaces paths of a container by directories of this machine, because processes have no separate
 * file system. Only complete paths are replaced: `/data`, `--dir=/data/db` and `a:/data` are,
 * `/database` and `http://host/data` are not.
 */
export function rewritePaths(text: string, mounts: readonly MountedPath[]): string {
  const longestFirst = mounts.toSorted((a, b) => b.inside.length - a.inside.length)
  let result = ''
  let at = 0
  while (at < text.length) {
    const mount = longestFirst.find((one) => isCompletePath(text, at, one))
    result += mount?.outside ?? text[at] ?? ''
    at += mount?.inside.length ?? 1
  }
  return result
}

function isCompletePath(text: string, at: number, mount: MountedPath): boolean {
  const { inside: path, isParent = false } = mount
  if (path === '/' || path === '' || !text.startsWith(path, at)) return false
  const next = text[at + path.length] ?? ''
  if (before.test(text[at - 1] ?? '') || after.test(next)) return false
  return !isParent || next !== '/'
}
