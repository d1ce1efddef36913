import { importsOf, scriptsOf, type SourceTree } from './source-tree.ts'

/** No file may import itself through other files. */
export function cycleViolations(tree: SourceTree): string[] {
  const targets = new Map(
    scriptsOf(tree).map((path) => [
      path,
      importsOf(tree, path).flatMap(({ target }) => target ?? []),
    ]),
  )
  const finished = new Set<string>()
  const found: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) {
      found.push(`import cycle: ${[...trail.slice(start), path].join(' -> ')}`)
      return
    }
    if (finished.has(path)) return
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path])
    finished.add(path)
  }
  for (const path of targets.keys()) visit(path, [])
  return found
}
