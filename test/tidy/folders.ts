import { isTest, scriptsOf, type SourceTree } from './source-tree.ts'

const filesMax = 20

/**
 * A folder of sources has at most 20 files: a reader must be able to guess the file from the
 * feature.
 */
export function folderSizeViolations(tree: SourceTree): string[] {
  const counts = new Map<string, number>()
  for (const path of sourcesOf(tree)) {
    const folder = path.slice(0, path.lastIndexOf('/'))
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([, count]) => count > filesMax)
    .map(([folder, count]) => `${folder}: ${count} source files, at most ${filesMax}`)
}

/** File names are unique in a package, so that a search finds the right file. */
export function fileNameViolations(tree: SourceTree): string[] {
  const seen = new Map<string, string>()
  return sourcesOf(tree).flatMap((path) => {
    const [, name = ''] = path.split('/')
    const file = path.slice(path.lastIndexOf('/') + 1)
    if (file === 'index.ts') return []
    const other = seen.get(`${name} ${file}`)
    seen.set(`${name} ${file}`, path)
    return other === undefined ? [] : [`${path}: ${other} has the same name; rename one of them`]
  })
}

function sourcesOf(tree: SourceTree): string[] {
  return scriptsOf(tree).filter(
    (path) => /^packages\/[^/]+\/src\//.test(path) && !isTest(path) && !isData(path),
  )
}

function isData(path: string): boolean {
  return /\/(generated|testdata)\//.test(path)
}
