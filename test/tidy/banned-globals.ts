import { isBuiltin } from 'node:module'
import ts from 'typescript'
import { importsOf, isTest, lineOf, scriptsOf, syntaxOf, type SourceTree } from './source-tree.ts'

/** Globals that only host/ may use, and their replacements. */
const replacements = new Map<string, string>(
  Object.entries({
    AbortSignal: 'host.sleep(ms, signal) with an AbortController',
    Date: 'host.now(), and new Date(ms) to format it',
    Math: 'host.random()',
    Intl: 'host.now() and a fixed format',
    Temporal: 'host.now()',
    performance: 'host.monotonicMs()',
    setTimeout: 'host.setTimer(ms, run)',
    setInterval: 'host.setTimer(ms, run)',
    setImmediate: 'host.setTimer(0, run)',
    clearTimeout: 'timer.cancel()',
    clearInterval: 'timer.cancel()',
    clearImmediate: 'timer.cancel()',
    crypto: 'host.randomBytes(count) or host.uuid()',
    process: 'host.env(name), host.onSignal(...)',
    fetch: 'host.request(...)',
    WebSocket: 'host.request(...)',
    EventSource: 'host.request(...)',
    MessageChannel: 'host.setTimer(0, run)',
    Worker: 'nothing: work outside the process is invisible to a virtual host',
    console: 'host.log(line)',
    eval: 'nothing: code is never made from text',
    Function: 'nothing: code is never made from text',
    globalThis: 'the name itself, so that this rule can see it',
    global: 'the name itself, so that this rule can see it',
    self: 'the name itself, so that this rule can see it',
    require: 'import',
  }),
)

/** The pure members of otherwise banned objects. */
const pureMembers: Readonly<Record<string, (member: string) => boolean>> = {
  AbortSignal: (member) => member === 'any' || member === 'abort',
  Date: (member) => member === 'UTC' || member === 'parse',
  Math: (member) => member !== 'random',
  // Formatting a given time in a given zone is pure.
  Intl: (member) => ['Segmenter', 'Collator', 'DateTimeFormat'].includes(member),
}

/** The pure modules of Node: packing, hashing, signing with a given key. */
const pureBuiltins: Readonly<Record<string, readonly string[]>> = {
  'node:zlib': ['crc32', 'gzipSync', 'gunzipSync'],
  'node:path': ['basename', 'dirname', 'extname', 'isAbsolute', 'join', 'posix', 'relative', 'sep'],
  'node:url': ['fileURLToPath'],
  'node:util': ['parseArgs'],
  'node:crypto': [
    'createHash',
    'createPrivateKey',
    'createPublicKey',
    'sign',
    'verify',
    'KeyObject',
    'X509Certificate',
  ],
}

/**
 * The folders that may use them: host/ of the framework, system/ of the command line, and the parts
 * of the simulator that replace them and evaluate programs.
 */
const hostFolders = [
  'packages/setpoint/src/host/',
  'packages/cli/src/system/',
  'packages/sim/src/bypass/',
  'packages/sim/src/fresh/',
]

/** Published code uses time, randomness, network and process only through host/. */
export function bannedGlobalViolations(tree: SourceTree): string[] {
  return scriptsOf(tree)
    .filter((path) => /^packages\/[^/]+\/src\//.test(path) && !isTest(path))
    .filter((path) => !hostFolders.some((hostFolder) => path.startsWith(hostFolder)))
    .flatMap((path) => [...globalsIn(syntaxOf(tree, path), path), ...modulesIn(tree, path)])
}

/** A published file imports its own package's files and declared dependencies, nothing else. */
function modulesIn(tree: SourceTree, path: string): string[] {
  const folder = path.split('/').slice(0, 2).join('/')
  const manifest = JSON.parse(tree.get(`${folder}/package.json`) ?? '{}') as {
    dependencies?: object
    peerDependencies?: object
    devDependencies?: object
  }
  // Development dependencies of a package are bundled into it (scripts/build-package.ts).
  const declared = Object.keys({
    ...manifest.dependencies,
    ...manifest.peerDependencies,
    ...manifest.devDependencies,
  })
  return importsOf(tree, path).flatMap(({ specifier, target, names }) => {
    if (target !== undefined || /^[.?]/.test(specifier)) return []
    const pure = pureBuiltins[specifier] ?? []
    if (names.length > 0 && names.every((name) => pure.includes(name))) return []
    if (isBuiltin(specifier)) return [`${path}: ${specifier} is only for host/; use the host`]
    const isDeclared = declared.some(
      (name) => specifier === name || specifier.startsWith(`${name}/`),
    )
    return isDeclared ? [] : [`${path}: ${specifier} is not a dependency of ${folder}`]
  })
}

function globalsIn(file: ts.SourceFile, path: string): string[] {
  const found: string[] = []
  const local = new Set<string>()
  const names: ts.Identifier[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      if (isBinding(node)) local.add(node.text)
      else if (replacements.has(node.text) && isUse(node)) names.push(node)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  for (const node of names) {
    if (local.has(node.text) || isPureUse(node)) continue
    const instead = replacements.get(node.text) ?? ''
    const line = lineOf(file, node.getStart())
    found.push(`${path}:${line}: ${node.text} is only for host/; use ${instead}`)
  }
  return found
}

/** Whether an identifier declares a name in this file, which shadows the global. */
function isBinding(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isImportSpecifier(parent) || ts.isImportClause(parent)) return true
  const isNamed =
    ts.isVariableDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isBindingElement(parent) ||
    ts.isFunctionLike(parent) ||
    ts.isClassLike(parent)
  return isNamed && parent.name === node && !ts.isTypeNode(parent) && !isMember(parent)
}

function isMember(node: ts.Node): boolean {
  return ts.isClassElement(node) || ts.isTypeElement(node) || ts.isObjectLiteralElement(node)
}

/** Whether an identifier is a value, not a type or the name of a member. */
function isUse(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isPropertyAssignment(parent) || ts.isEnumMember(parent)) return parent.initializer === node
  if (ts.isPropertyDeclaration(parent)) return parent.initializer === node
  if (ts.isBindingElement(parent)) return parent.initializer === node
  if (ts.isShorthandPropertyAssignment(parent)) return true
  if (ts.isExpressionWithTypeArguments(parent)) return isExtendedByClass(parent)
  return !(
    isMember(parent) ||
    ts.isTypeNode(parent) ||
    ts.isQualifiedName(parent) ||
    ts.isExportSpecifier(parent) ||
    ts.isInterfaceDeclaration(parent) ||
    ts.isTypeAliasDeclaration(parent)
  )
}

function isExtendedByClass({ parent }: ts.ExpressionWithTypeArguments): boolean {
  return (
    ts.isHeritageClause(parent) &&
    parent.token === ts.SyntaxKind.ExtendsKeyword &&
    ts.isClassLike(parent.parent)
  )
}

/** `Math.max`, `new Date(ms)`, `x instanceof Date`: pure uses are allowed. */
function isPureUse(node: ts.Identifier): boolean {
  const { parent } = node
  const pure = pureMembers[node.text]
  if (ts.isPropertyAccessExpression(parent)) return pure?.(parent.name.text) ?? false
  if (ts.isNewExpression(parent)) return node.text === 'Date' && (parent.arguments?.length ?? 0) > 0
  return (
    pure !== undefined &&
    ts.isBinaryExpression(parent) &&
    parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword
  )
}
