/** Compiles loops, into which macros were expanded. */
import type { ComprehensionExpr, Expr } from '../syntax/ast.ts'
import {
  CelError,
  CelList,
  CelMap,
  EntryMap,
  GrowingList,
  ArrayList,
  type CelResult,
  type CelValue,
} from '../values/cel-value.ts'
import type { Evaluate, Frame } from './frame.ts'
import { GrowingMap } from './growing-map.ts'
import { goTypeName } from './runtime-type.ts'

/** Compiles the parts of a loop. */
interface PartCompiler {
  plan(expr: Expr): { readonly evaluate: Evaluate }
  withVariable<Result>(name: string, evaluate: Evaluate, body: () => Result): Result
  newSlot(): number
}

/** Compiles a loop over the elements of a list or the keys of a map. */
export function compileLoop(compiler: PartCompiler, expr: ComprehensionExpr): Evaluate {
  const range = compiler.plan(expr.range).evaluate
  const init = compiler.plan(expr.init).evaluate
  const accumulator = compiler.newSlot()
  const first = compiler.newSlot()
  const second = compiler.newSlot()
  const readAccumulator: Evaluate = (frame) => {
    const value = frame.slots[accumulator]
    if (value !== undefined) return value
    const started = startOf(init(frame))
    frame.slots[accumulator] = started
    return started
  }
  return compiler.withVariable(expr.accumulator, readAccumulator, () => {
    const { condition, step } = compileBody(compiler, expr, { first, second })
    const result = compiler.plan(expr.result).evaluate
    const isPair = expr.variable2 !== undefined
    return (frame) => {
      const items = range(frame)
      if (items instanceof CelError) return items
      const outer = frame.slots[accumulator]
      frame.slots[accumulator] = undefined
      const problem = eachItem(items, isPair, (one, other) => {
        frame.slots[first] = one
        frame.slots[second] = other
        const verdict = condition(frame)
        if (verdict === false) return false
        frame.slots[accumulator] = step(frame)
        return true
      })
      const value = problem ?? finished(result(frame))
      frame.slots[accumulator] = outer
      return value
    }
  })
}

function compileBody(
  compiler: PartCompiler,
  expr: ComprehensionExpr,
  slots: { readonly first: number; readonly second: number },
): { readonly condition: Evaluate; readonly step: Evaluate } {
  const read = (slot: number) => (frame: Frame) => frame.slots[slot] ?? null
  const body = () => ({
    condition: compiler.plan(expr.condition).evaluate,
    step: compiler.plan(expr.step).evaluate,
  })
  const { variable2 } = expr
  return compiler.withVariable(expr.variable, read(slots.first), () =>
    variable2 === undefined ? body() : compiler.withVariable(variable2, read(slots.second), body),
  )
}

/** An empty list or map that a macro starts with grows in place. */
function startOf(value: CelResult): CelResult {
  if (value instanceof CelList && value.size === 0) return new GrowingList()
  if (value instanceof EntryMap && value.size === 0) return new GrowingMap()
  return value
}

/** The result no longer grows. */
function finished(value: CelResult): CelResult {
  if (value instanceof GrowingList) return new ArrayList(value.elements)
  return value instanceof GrowingMap ? value.done() : value
}

/** Calls `visit` for each item until it returns false. Returns an error if there are no items. */
function eachItem(
  items: CelResult,
  isPair: boolean,
  visit: (one: CelResult, other: CelResult | undefined) => boolean,
): CelError | undefined {
  if (items instanceof CelList) {
    for (let index = 0; index < items.size; index++) {
      const item = items.at(index)
      const isLast = isPair ? !visit(BigInt(index), item) : !visit(item, undefined)
      if (isLast) break
    }
    return undefined
  }
  if (items instanceof CelMap) {
    for (const key of items.keys()) {
      if (!visit(key, isPair ? items.find(key) : undefined)) break
    }
    return undefined
  }
  return new CelError(
    isPair
      ? `unsupported comprehension range type: ${goTypeName(items as CelValue)}`
      : `got '${goTypeName(items as CelValue)}', expected iterable type`,
  )
}
