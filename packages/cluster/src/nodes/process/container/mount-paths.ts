/** The directory of this machine for a path in a container. */
export interface MountedPath {
  /** `/data` */
  readonly inside: string
  readonly outside: string
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
    const mount = longestFirst.find(({ inside }) => isCompletePath(text, at, inside))
    result += mount?.outside ?? text[at] ?? ''
    at += mount?.inside.length ?? 1
  }
  return result
}

function isCompletePath(text: string, at: number, path: string): boolean {
  if (path === '/' || path === '' || !text.startsWith(path, at)) return false
  const next = text[at + path.length] ?? ''
  return !before.test(text[at - 1] ?? '') && !after.test(next)
}
