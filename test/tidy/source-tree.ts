/** The tracked text files of the repository, and the syntax and imports of the TypeScript files. */
import { readdir, readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import ts from 'typescript'

/** Paths from the root of the repository, with forward slashes, to the text of the file. */
export type SourceTree = ReadonlyMap<string, string>

const ignoredFolders = new Set(['.git', 'node_modules', 'dist', 'coverage'])
const textFile = /(\.(ts|js|mjs|jsonl?|md|svg|ya?ml|sh|go|mod)|^\.[a-z]+(rc|ignore)|^\.ci\/run)$/

/** Reads the repository from disk. */
export async function readSourceTree(root: string): Promise<SourceTree> {
  const tree = new Map<string, string>()
  const visit = async (folder: string): Promise<void> => {
    for (const entry of await readdir(posix.join(root, folder), { withFileTypes: true })) {
      const path = posix.join(folder, entry.name)
      if (entry.isDirectory()) {
        if (!ignoredFolders.has(entry.name)) await visit(path)
      } else if (textFile.test(path)) {
        tree.set(path, await readFile(posix.join(root, path), 'utf8'))
      }
    }
  }
  await visit('')
  return new Map([...tree].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Whether a file is a test, a fixture or a suite that only tests use. */
export function isTest(path: string): boolean {
  return /\.test\.ts$|^test\/|\/testdata\//.test(path)
}

/** Whether a file is generated, and exempt from rules of style. */
export function isGenerated(path: string): boolean {
  return path.includes('/generated/')
}

/** The TypeScript files of a tree. */
export function scriptsOf(tree: SourceTree): string[] {
  return [...tree.keys()].filter((path) => path.endsWith('.ts'))
}

/** Caches a result by tree and key: most rules need the same data of the same files. */
function oncePerTree<Value>(
  find: (tree: SourceTree, key: string) => Value,
): (tree: SourceTree, key: string) => Value {
  const kept = new WeakMap<SourceTree, Map<string, Value>>()
  return (tree, key) => {
    const found = kept.get(tree) ?? new Map<string, Value>()
    kept.set(tree, found)
    const known = found.get(key)
    if (known !== undefined) return known
    const value = find(tree, key)
    found.set(key, value)
    return value
  }
}

/** The syntax tree of a file. */
export const syntaxOf = oncePerTree((tree, path) =>
  ts.createSourceFile(path, tree.get(path) ?? '', ts.ScriptTarget.ESNext, true),
)

/** One import or re-export of a file. */
interface Import {
  /** As written. */
  readonly specifier: string
  /** The imported file, if it is in this repository. */
  readonly target: string | undefined
  /** The imported names; `*` for all. */
  readonly names: readonly string[]
}

/** All static and dynamic imports and re-exports of a file, `require` included. */
export const importsOf = oncePerTree(findImports)

function findImports(tree: SourceTree, path: string): readonly Import[] {
  const found: Import[] = []
  const add = (specifier: ts.Node | undefined, names: readonly string[]): void => {
    const text = specifier !== undefined && ts.isStringLiteralLike(specifier) ? specifier.text : '?'
    found.push({ specifier: text, names, target: resolve(tree, path, text) })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      add(node.moduleSpecifier, importedNames(node.importClause))
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
      add(node.moduleSpecifier, exportedNames(node.exportClause))
    } else if (ts.isExternalModuleReference(node)) {
      add(node.expression, ['*'])
    } else if (ts.isCallExpression(node) && isImportCall(node.expression)) {
      add(node.arguments[0], ['*'])
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal, ['*'])
    }
    ts.forEachChild(node, visit)
  }
  visit(syntaxOf(tree, path))
  return found
}

function isImportCall(callee: ts.Expression): boolean {
  return (
    callee.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(callee) && callee.text === 'require')
  )
}

/** Relative imports name an existing file, so that the rules about imports apply to all of them. */
export function importViolations(tree: SourceTree): string[] {
  return scriptsOf(tree).flatMap((path) =>
    importsOf(tree, path)
      .filter(({ specifier, target }) => target === undefined && /^[.?]/.test(specifier))
      .filter(({ specifier }) => !(mayComputeImports(path) && specifier === '?'))
      .map(
        ({ specifier }) =>
          `${path}: the import of ${specifier} leads to no file; name it with its .ts ending`,
      ),
  )
}

/** One file hides a dependency from bundlers, two load modules of users; tests are exempt. */
function mayComputeImports(path: string): boolean {
  const computing = [
    'packages/setpoint/src/client/connection/yaml-reader.ts',
    'packages/cli/src/system/import-module.ts',
    'packages/sim/src/fresh/package-modules.ts',
  ]
  return isTest(path) || computing.includes(path)
}

function importedNames(clause: ts.ImportClause | undefined): string[] {
  if (clause === undefined) return []
  const bindings = clause.namedBindings
  return [
    ...(clause.name === undefined ? [] : ['default']),
    ...(bindings === undefined
      ? []
      : ts.isNamespaceImport(bindings)
        ? ['*']
        : bindings.elements.map((element) => (element.propertyName ?? element.name).text)),
  ]
}

function exportedNames(clause: ts.NamedExportBindings | undefined): string[] {
  if (clause === undefined || ts.isNamespaceExport(clause)) return ['*']
  return clause.elements.map((element) => (element.propertyName ?? element.name).text)
}

/** The source files of each package's subpaths, from its `exports`. */
export function entryPointsOf(tree: SourceTree): ReadonlyMap<string, string> {
  return allEntryPoints(tree, '')
}

const allEntryPoints = oncePerTree(findEntryPoints)

function findEntryPoints(tree: SourceTree): ReadonlyMap<string, string> {
  const entries = new Map<string, string>()
  for (const [path, text] of tree) {
    const folder = /^(packages\/[^/]+)\/package\.json$/.exec(path)?.[1]
    if (folder === undefined) continue
    const manifest = JSON.parse(text) as {
      name: string
      exports?: Record<string, string | Record<string, string>>
    }
    for (const [subpath, target] of Object.entries(manifest.exports ?? {})) {
      if (typeof target === 'string') continue
      const source = target['@setpoint/source']
      if (source !== undefined) {
        entries.set(posix.join(manifest.name, subpath), posix.join(folder, source))
      }
    }
  }
  return entries
}

function resolve(tree: SourceTree, from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return entryPointsOf(tree).get(specifier)
  const target = posix.join(posix.dirname(from), specifier)
  return tree.has(target) ? target : undefined
}

/** The line of a position, counted from one. */
export function lineOf(file: ts.SourceFile, position: number): number {
  return file.getLineAndCharacterOfPosition(position).line + 1
}
