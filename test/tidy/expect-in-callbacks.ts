import ts from 'typescript'
import { importsOf, isTest, scriptsOf, syntaxOf, type SourceTree } from './source-tree.ts'

/** Callees whose callbacks run inside of the test: a failed assertion fails the test. */
const allowedFunctions = new Set([
  'test',
  'it',
  'describe',
  'beforeAll',
  'beforeEach',
  'afterAll',
  'afterEach',
  'onTestFinished',
  'expect',
])

/** The first part of a callee: `vi.fn`, `fc.property`, `expect.poll`, `test.each`. */
const allowedObjects = new Set([...allowedFunctions, 'vi', 'fc', 'Promise', 'Array'])

/**
 * Methods of arrays and promises, which call back before they return or settle, and of test worlds
 * that retry an assertion.
 */
const allowedMethods = new Set([
  'map',
  'flatMap',
  'forEach',
  'filter',
  'find',
  'every',
  'some',
  'reduce',
  'sort',
  'then',
  'catch',
  'finally',
  'eventually',
])

/**
 * Callbacks that tests hand to the product contain no assertions: the product catches errors of
 * callbacks, reports them or retries, so that the test does not fail.
 */
export function expectInCallbackViolations(tree: SourceTree): string[] {
  return scriptsOf(tree)
    .filter((path) => path.endsWith('.test.ts'))
    .flatMap((path) => {
      const source = syntaxOf(tree, path)
      const helpers = new Set([...localFunctions(source), ...importedHelpers(tree, path)])
      return expectCalls(source).flatMap((call) => {
        const callee = productCallee(call, helpers)
        if (callee === undefined) return []
        const { line } = source.getLineAndCharacterOfPosition(call.getStart(source))
        const text = callee.getText(source).split('\n').at(-1)?.trim() ?? ''
        return [`${path}:${line + 1}: expect in a callback of ${text}; collect values, then assert`]
      })
    })
}

/** The names of functions and constants that the file declares, at any level. */
function localFunctions(source: ts.SourceFile): Set<string> {
  const names = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionDeclaration(node) && node.name !== undefined) names.add(node.name.text)
    if (
      ts.isVariableDeclaration(node) &&
      ts.isIdentifier(node.name) &&
      node.initializer !== undefined &&
      (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer))
    ) {
      names.add(node.name.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return names
}

/** The names that the file imports from other test files. */
function importedHelpers(tree: SourceTree, path: string): string[] {
  return importsOf(tree, path).flatMap(({ names, target }) =>
    target !== undefined && isTest(target) ? [...names] : [],
  )
}

function expectCalls(source: ts.SourceFile): ts.CallExpression[] {
  const calls: ts.CallExpression[] = []
  const visit = (node: ts.Node): void => {
    // `expect.any()` and the like are values, not assertions.
    if (ts.isCallExpression(node) && node.expression.getText(source) === 'expect') calls.push(node)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return calls
}

/** The nearest call that gets a function around the assertion as an argument and is not allowed. */
function productCallee(
  call: ts.CallExpression,
  helpers: ReadonlySet<string>,
): ts.Expression | undefined {
  let node: ts.Node = call
  while (!ts.isSourceFile(node)) {
    const { parent }: { parent: ts.Node } = node
    const isFunction =
      ts.isArrowFunction(node) || ts.isFunctionExpression(node) || ts.isMethodDeclaration(node)
    const owner = isFunction ? callWithArgument(node) : undefined
    if (owner !== undefined && !isAllowed(owner.expression, helpers)) return owner.expression
    node = parent
  }
  return undefined
}

/** The call that has this function as an argument, even in an object literal. */
function callWithArgument(node: ts.Node): ts.CallExpression | ts.NewExpression | undefined {
  let child = node
  let { parent } = node
  while (
    ts.isPropertyAssignment(parent) ||
    ts.isObjectLiteralExpression(parent) ||
    ts.isArrayLiteralExpression(parent)
  ) {
    child = parent
    parent = parent.parent
  }
  if (!ts.isCallExpression(parent) && !ts.isNewExpression(parent)) return undefined
  return (parent.arguments ?? []).some((argument) => argument === child) ? parent : undefined
}

function isAllowed(callee: ts.Expression, helpers: ReadonlySet<string>): boolean {
  if (ts.isIdentifier(callee)) {
    return (
      allowedFunctions.has(callee.text) || helpers.has(callee.text) || callee.text === 'Promise'
    )
  }
  // `test.each(rows)(name, run)`
  if (ts.isCallExpression(callee)) return isAllowed(callee.expression, helpers)
  if (!ts.isPropertyAccessExpression(callee)) return false
  return allowedMethods.has(callee.name.text) || allowedObjects.has(rootOf(callee))
}

function rootOf(callee: ts.Expression): string {
  let node: ts.Expression = callee
  while (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)) node = node.expression
  return ts.isIdentifier(node) ? node.text : ''
}
