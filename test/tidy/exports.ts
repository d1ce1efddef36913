import ts from 'typescript'
import {
  entryPointsOf,
  importsOf,
  isGenerated,
  isTest,
  scriptsOf,
  syntaxOf,
  type SourceTree,
} from './source-tree.ts'

/** Names declared and exported by a file itself, with the declaration (not re-exports). */
function declaredExports(tree: SourceTree, path: string): Map<string, ts.Node> {
  const declared = new Map<string, ts.Node>()
  for (const statement of syntaxOf(tree, path).statements) {
    const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined
    if (modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword) !== true) {
      continue
    }
    if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) {
        if (ts.isIdentifier(name)) declared.set(name.text, statement)
      }
    } else if (
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement)
    ) {
      // A value and a type of one name: documenting either is enough.
      const name = statement.name?.text ?? 'default'
      const known = declared.get(name)
      if (known === undefined || !hasDoc(known)) declared.set(name, statement)
    }
  }
  return declared
}

function hasDoc(node: ts.Node): boolean {
  return ts.getJSDocCommentsAndTags(node).some((doc) => ts.isJSDoc(doc))
}

/** Follows a name through re-exports to the file that declares it. */
function declarationOf(
  tree: SourceTree,
  path: string,
  name: string,
): { path: string; name: string; node: ts.Node } | undefined {
  const own = declaredExports(tree, path).get(name)
  if (own !== undefined) return { path, name, node: own }
  for (const { from, imported } of reExportsOf(tree, path, name)) {
    const found = declarationOf(tree, from, imported)
    if (found !== undefined) return found
  }
  return undefined
}

function reExportsOf(
  tree: SourceTree,
  path: string,
  name: string,
): { from: string; imported: string }[] {
  const targets = new Map(importsOf(tree, path).map(({ specifier, target }) => [specifier, target]))
  return syntaxOf(tree, path).statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement) || statement.exportClause === undefined) return []
    if (!ts.isNamedExports(statement.exportClause)) return []
    const specifier = statement.moduleSpecifier
    const element = statement.exportClause.elements.find((each) => each.name.text === name)
    if (element === undefined) return []
    const imported = (element.propertyName ?? element.name).text
    if (specifier === undefined || !ts.isStringLiteral(specifier)) {
      const source = importsOf(tree, path).find(({ names }) => names.includes(imported))?.target
      return source === undefined ? [] : [{ from: source, imported }]
    }
    const target = targets.get(specifier.text)
    return target === undefined ? [] : [{ from: target, imported }]
  })
}

/** The exported names of an entry point. */
function publicNames(tree: SourceTree, entry: string): string[] {
  return syntaxOf(tree, entry).statements.flatMap((statement) =>
    ts.isExportDeclaration(statement) &&
    statement.exportClause !== undefined &&
    ts.isNamedExports(statement.exportClause)
      ? statement.exportClause.elements.map((element) => element.name.text)
      : [],
  )
}

/** Every public export has a doc comment. */
export function docCommentViolations(tree: SourceTree): string[] {
  return [...new Set(entryPointsOf(tree).values())].flatMap((entry) =>
    publicNames(tree, entry).flatMap((name) => {
      const declaration = declarationOf(tree, entry, name)
      if (declaration === undefined) return [`${entry}: ${name} leads to no declaration`]
      if (isGenerated(declaration.path) || hasDoc(declaration.node)) return []
      return [`${declaration.path}: the public export ${name} has no doc comment`]
    }),
  )
}

/** Wildcard exports hide the exported names. */
export function wildcardViolations(tree: SourceTree): string[] {
  return scriptsOf(tree)
    .filter((path) => path.startsWith('packages/') && !isGenerated(path))
    .flatMap((path) =>
      syntaxOf(tree, path).statements.some(
        (statement) =>
          isDefault(statement) || (ts.isExportDeclaration(statement) && isWildcard(statement)),
      )
        ? [`${path}: exports by name only, no wildcard and no default`]
        : [],
    )
}

function isDefault(statement: ts.Statement): boolean {
  if (ts.isExportAssignment(statement)) return true
  if (ts.isExportDeclaration(statement)) {
    const clause = statement.exportClause
    return (
      clause !== undefined &&
      ts.isNamedExports(clause) &&
      clause.elements.some((element) => element.name.text === 'default')
    )
  }
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined
  return modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.DefaultKeyword) === true
}

/** Only types may be exported by wildcard, from a generated list that names them. */
function isWildcard({ exportClause, isTypeOnly, moduleSpecifier }: ts.ExportDeclaration): boolean {
  const isNamed = exportClause !== undefined && ts.isNamedExports(exportClause)
  return !isNamed && !(isTypeOnly && moduleSpecifier?.getText().includes('/generated/') === true)
}

/**
 * Files that are started rather than imported: by a test runner, a manifest, a launcher, a pod or a
 * benchmark.
 */
function rootsOf(tree: SourceTree): string[] {
  const started = new Set<string>()
  for (const [path, text] of tree) {
    if (!/(^|\/)package\.json$|^scripts\/[^/]+\.mjs$/.test(path)) continue
    for (const [, file = ''] of text.matchAll(/\b((?:scripts|benchmarks)\/[\w./-]+)/g))
      started.add(file)
  }
  return scriptsOf(tree).filter(
    (path) =>
      /\.test\.ts$/.test(path) ||
      /^[^/]+\.config\.ts$/.test(path) ||
      // vitest.config.ts names it.
      path === 'test/property-seed.ts' ||
      /^operators\/[^/]+\/(main|watch)\.ts$/.test(path) ||
      /^benchmarks\/operator\/setpoint\/(operator|cache)\.ts$/.test(path) ||
      path === 'benchmarks/setpoint-30/worker.ts' ||
      path === 'benchmarks/webhooks/setpoint/webhooks.ts' ||
      /^benchmarks\/workloads\/programs\/[^/]+\.ts$/.test(path) ||
      started.has(path),
  )
}

/** The files that these files import, directly or indirectly. */
function reachedFrom(tree: SourceTree, roots: readonly string[]): Set<string> {
  const reached = new Set<string>()
  const visit = (path: string): void => {
    if (reached.has(path)) return
    reached.add(path)
    for (const { target } of importsOf(tree, path)) if (target !== undefined) visit(target)
  }
  roots.forEach(visit)
  return reached
}

/**
 * Every file is reached from an entry point, a test or a script; a published one not only by tests.
 */
export function deadFileViolations(tree: SourceTree): string[] {
  const scripts = scriptsOf(tree)
  const roots = rootsOf(tree)
  const entries = [...entryPointsOf(tree).values()]
  const published = reachedFrom(tree, [...entries, ...roots.filter((path) => !isTest(path))])
  const reachable = reachedFrom(tree, [...entries, ...roots])
  return scripts
    .filter((path) => {
      const isPublished = path.startsWith('packages/') && !isTest(path)
      return !(isPublished ? published : reachable).has(path)
    })
    .map((path) => `${path}: nothing imports or starts this file; delete it`)
}

/** The exports of an example are for its readers and for the command line. */
function isExample(path: string): boolean {
  return /^operators\/\d\d-/.test(path)
}

/** Every exported name is used by another file that is not its test, or is public. */
export function unusedExportViolations(tree: SourceTree): string[] {
  const used = new Set<string>()
  for (const path of scriptsOf(tree)) {
    for (const { target, names } of importsOf(tree, path)) {
      if (target === undefined || (isTest(path) && !isTest(target))) continue
      for (const name of names) used.add(`${target} ${name}`)
    }
  }
  const entries = new Set([...entryPointsOf(tree).values(), ...rootsOf(tree)])
  return scriptsOf(tree)
    .filter((path) => !entries.has(path) && !isGenerated(path))
    .filter((path) => !used.has(`${path} *`) && !isExample(path))
    .flatMap((path) =>
      [...new Set([...declaredExports(tree, path).keys(), ...publicNames(tree, path)])]
        .filter((name) => !used.has(`${path} ${name}`))
        .map((name) => `${path}: the export ${name} is used nowhere else; make it private`),
    )
}
