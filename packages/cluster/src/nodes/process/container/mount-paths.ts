/** Where a path inside of a container is in truth. */
export interface MountedPath {
  /** `/data` */
  readonly inside: string
  readonly outside: string
}

/** What may stand before a path that is meant as one, and after it. */
const before = /[\w./-]/
const after = /[\w.-]/

/**
 * Replaces paths of a container by those of this machine, because processes have no file system of their own. A path
 * counts when it stands for itself: `/data`, `--dir=/data/db` and `a:/data` are meant, `/database` and
 * `http://host/data` are not.
 */
export function rewritePaths(text: string, mounts: readonly MountedPath[]): string {
  const longestFirst = mounts.toSorted((a, b) => b.inside.length - a.inside.length)
  let result = ''
  let at = 0
  while (at < text.length) {
    const mount = longestFirst.find(({ inside }) => isMeant(text, at, inside))
    result += mount?.outside ?? text[at] ?? ''
    at += mount?.inside.length ?? 1
  }
  return result
}

function isMeant(text: string, at: number, path: string): boolean {
  if (path === '/' || path === '' || !text.startsWith(path, at)) return false
  const next = text[at + path.length] ?? ''
  return !before.test(text[at - 1] ?? '') && !after.test(next)
}
