import ts from 'typescript'
import { isTest, lineOf, scriptsOf, syntaxOf, type SourceTree } from './source-tree.ts'

/** What only host/ may touch, and what to use instead. */
const replacements: Readonly<Record<string, string>> = {
  'Date.now': 'host.now()',
  'new Date': 'new Date(host.now())',
  Date: 'host.now()',
  'AbortSignal.timeout': 'host.sleep(ms, signal) with an AbortController',
  'Math.random': 'host.random()',
  setTimeout: 'host.setTimer(ms, run)',
  setInterval: 'host.setTimer(ms, run)',
  setImmediate: 'host.setTimer(0, run)',
  clearTimeout: 'timer.cancel()',
  clearInterval: 'timer.cancel()',
  crypto: 'host.randomBytes(count) or host.uuid()',
  process: 'host.env(name), host.onSignal(...)',
  performance: 'host.monotonicMs()',
  fetch: 'host.request(...)',
  WebSocket: 'host.request(...)',
  console: 'host.log(line)',
  eval: 'nothing: code is never made from text',
  Function: 'nothing: code is never made from text',
  'node:': 'the host',
}

/** Time, chance, network and process are reached through host/ only, in everything we publish. */
export function bannedGlobalViolations(tree: SourceTree): string[] {
  return scriptsOf(tree)
    .filter((path) => /^packages\/[^/]+\/src\//.test(path) && !/\/src\/host\//.test(path))
    .filter((path) => !isTest(path))
    .flatMap((path) => violationsIn(syntaxOf(tree, path), path))
}

function violationsIn(file: ts.SourceFile, path: string): string[] {
  const found: string[] = []
  const report = (node: ts.Node, name: string): void => {
    const instead = replacements[name.startsWith('node:') ? 'node:' : name]
    if (instead === undefined) return
    const line = lineOf(file, node.getStart())
    found.push(`${path}:${line}: ${name} is only for host/; use ${instead}`)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      report(node, node.moduleSpecifier.text)
      return
    }
    if (ts.isNewExpression(node) && ts.isIdentifier(node.expression)) {
      const { text } = node.expression
      if (text !== 'Date') report(node, text)
      else if ((node.arguments?.length ?? 0) === 0) report(node, 'new Date')
      node.arguments?.forEach(visit)
      return
    }
    if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
      const base = node.expression.text
      const pair = `${base}.${node.name.text}`
      report(node, Object.hasOwn(replacements, pair) || base === 'Date' ? pair : base)
      return
    }
    if (ts.isIdentifier(node) && isUse(node)) report(node, node.text)
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(file, visit)
  return found
}

/** Whether an identifier stands for a value here, rather than naming a property or a declaration. */
function isUse(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isShorthandPropertyAssignment(parent)) return true
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) {
    return parent.initializer === node
  }
  return !(
    ts.isImportSpecifier(parent) ||
    ts.isExportSpecifier(parent) ||
    ts.isParameter(parent) ||
    ts.isBindingElement(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isMethodSignature(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isInterfaceDeclaration(parent) ||
    ts.isTypeAliasDeclaration(parent) ||
    ts.isFunctionDeclaration(parent) ||
    ts.isClassDeclaration(parent)
  )
}
