/**
 * Estimates the cost of an expression before it runs, as cel-go's `checker.Cost` with the estimator
 * of Kubernetes. The API server refuses rules whose largest estimate exceeds the limit.
 */
import { accumulatorName, type CallExpr, type ComprehensionExpr, type Expr } from '../syntax/ast.ts'
import { celTypes, type CelType } from '../types/cel-type.ts'
import type { CheckedExpr } from '../types/checker.ts'
import { textSize } from '../values/text-size.ts'
import { sizeOrUnknown, type CallEstimate, type CostNode, type SizeOfPath } from './cost-node.ts'
import { estimateLibraryCall } from './estimate-library-call.ts'
import { estimateOverload } from './estimate-overload.ts'
import { estimateStandardCall } from './estimate-standard-call.ts'
import {
  byFactor,
  fixed,
  plus,
  times,
  uint64Max,
  union,
  unknownSize,
  type Estimate,
} from './estimate.ts'

interface EntrySize {
  readonly kind: 'list' | 'map'
  readonly key: Estimate
  readonly value: Estimate
}

interface LocalVariable {
  readonly path: readonly string[]
  readonly size?: Estimate | undefined
  readonly entries?: EntrySize | undefined
}

const one = fixed(1n)
const zero = fixed(0n)

/** Estimates the cost of the expression. */
export function estimateCost(checked: CheckedExpr, sizeOfPath: SizeOfPath): Estimate {
  return new CostEstimator(checked, sizeOfPath).cost(checked.expr)
}

/** The state of one estimation. */
class CostEstimator {
  readonly sizeOfPath: SizeOfPath
  private readonly checked: CheckedExpr
  private readonly paths = new Map<number, readonly string[]>()
  private readonly locals = new Map<string, LocalVariable[]>()
  private readonly sizes = new Map<number, Estimate>()
  private readonly entrySizes = new Map<number, EntrySize>()

  constructor(checked: CheckedExpr, sizeOfPath: SizeOfPath) {
    this.checked = checked
    this.sizeOfPath = sizeOfPath
  }

  cost(expr: Expr): Estimate {
    switch (expr.kind) {
      case 'literal':
      case 'broken':
        return zero
      case 'ident':
        this.paths.set(expr.id, this.local(expr.name)?.path ?? [expr.name])
        return one
      case 'select':
        return this.costOfSelect(expr)
      case 'call':
        return this.costOfCall(expr)
      case 'list':
        return this.costOfList(expr)
      case 'map':
        return this.costOfMap(expr)
      case 'struct':
        return plus(...expr.fields.map(({ value }) => this.cost(value)), fixed(40n))
      case 'comprehension':
        return isBinding(expr) ? this.costOfBinding(expr) : this.costOfLoop(expr)
    }
  }

  private typeOf(expr: Expr): CelType {
    return this.checked.types.get(expr.id) ?? celTypes.dyn
  }

  private local(name: string): LocalVariable | undefined {
    return this.locals.get(name)?.at(-1)
  }

  private withLocal<Result>(name: string, variable: LocalVariable, body: () => Result): Result {
    const outer = this.locals.get(name) ?? []
    this.locals.set(name, [...outer, variable])
    const result = body()
    this.locals.set(name, outer)
    return result
  }

  private pathOf(expr: Expr): readonly string[] {
    const local = expr.kind === 'ident' ? this.local(expr.name) : undefined
    return local?.path ?? this.paths.get(expr.id) ?? []
  }

  private costOfSelect(expr: Expr & { kind: 'select' }): Estimate {
    const operand = this.cost(expr.operand)
    if (expr.isTest) return operand
    const { kind } = this.typeOf(expr.operand)
    this.paths.set(expr.id, [...this.pathOf(expr.operand), expr.field])
    return kind === 'map' || kind === 'object' || kind === 'parameter'
      ? plus(operand, one)
      : operand
  }

  private costOfList(expr: Expr & { kind: 'list' }): Estimate {
    let size: Estimate = { min: expr.elements.length === 0 ? 0n : uint64Max, max: 0n }
    const costs = expr.elements.map((element) => {
      const cost = this.cost(element)
      size = union(size, this.sizeOrUnknown(element))
      return cost
    })
    this.entrySizes.set(expr.id, { kind: 'list', key: one, value: size })
    return plus(...costs, fixed(10n))
  }

  private costOfMap(expr: Expr & { kind: 'map' }): Estimate {
    const start: Estimate = { min: expr.entries.length === 0 ? 0n : uint64Max, max: 0n }
    let keySize = start
    let valueSize = start
    const costs = expr.entries.map(({ key, value }) => {
      const cost = plus(this.cost(key), this.cost(value))
      keySize = union(keySize, this.sizeOrUnknown(key))
      valueSize = union(valueSize, this.sizeOrUnknown(value))
      return cost
    })
    this.entrySizes.set(expr.id, { kind: 'map', key: keySize, value: valueSize })
    return plus(...costs, fixed(30n))
  }

  private costOfLoop(expr: ComprehensionExpr): Estimate {
    const start = plus(this.cost(expr.range), this.cost(expr.init))
    const accumulator: LocalVariable = {
      path: this.pathOf(expr.init),
      size: this.sizeOf(expr.init),
      entries: this.entriesOf(expr.init),
    }
    return this.withLocal(expr.accumulator, accumulator, () => {
      const body = this.costOfBody(expr)
      const result = this.cost(expr.result)
      const count = this.sizeOrUnknown(expr.range)
      if (expr.init.kind === 'literal') this.setSize(expr, this.sizeOf(expr.init))
      if (expr.init.kind === 'list' || expr.init.kind === 'map') {
        this.setSize(expr, count)
        this.setEntries(expr, this.entriesOf(expr.step))
      }
      return plus(start, result, times(count, body))
    })
  }

  private costOfBody(expr: ComprehensionExpr): Estimate {
    const body = (): Estimate => {
      const condition = this.cost(expr.condition)
      return plus(this.cost(expr.step), condition)
    }
    const entries = this.entriesOf(expr.range)
    const isList = (entries?.kind ?? this.typeOf(expr.range).kind) === 'list'
    const path = this.pathOf(expr.range)
    const { variable2 } = expr
    if (variable2 === undefined) {
      const size = isList ? entries?.value : entries?.key
      const item = { path: [...path, isList ? '@items' : '@keys'], size }
      return this.withLocal(expr.variable, item, body)
    }
    const key = { path: [...path, isList ? '@indices' : '@keys'], size: entries?.key }
    const value = { path: [...path, isList ? '@items' : '@values'], size: entries?.value }
    return this.withLocal(expr.variable, key, () => this.withLocal(variable2, value, body))
  }

  private costOfBinding(expr: ComprehensionExpr): Estimate {
    const start = plus(this.cost(expr.range), this.cost(expr.init))
    const variable: LocalVariable = {
      path: this.pathOf(expr.init),
      size: this.sizeOf(expr.init),
      entries: this.entriesOf(expr.init),
    }
    const result = this.withLocal(expr.accumulator, variable, () => this.cost(expr.result))
    this.copySizes(expr, expr.result)
    return plus(start, result)
  }

  private copySizes(to: Expr, from: Expr): void {
    this.setSize(to, this.sizeOf(from))
    this.setEntries(to, this.entriesOf(from))
  }

  private costOfCall(expr: CallExpr): Estimate {
    const [first] = expr.args
    if (expr.name === 'dyn' && first !== undefined) {
      const cost = plus(one, this.cost(first))
      this.copySizes(expr, first)
      return cost
    }
    const argCosts = expr.args.map((arg) => this.cost(arg))
    const args = expr.args.map((arg) => this.nodeOf(arg))
    const overloads = this.checked.overloads.get(expr.id) ?? []
    if (overloads.length === 0) return zero
    const targetCost = expr.target === undefined ? zero : this.cost(expr.target)
    const target = expr.target === undefined ? undefined : this.nodeOf(expr.target)
    let cost: Estimate = { min: uint64Max, max: 0n }
    let size: Estimate | undefined
    for (const overload of overloads) {
      const found = this.costOfOverload(expr, overload, { target, args, argCosts })
      cost = union(cost, found.cost)
      if (found.size !== undefined) size = size === undefined ? found.size : union(size, found.size)
      if (first !== undefined && (overload === 'index_list' || overload === 'index_map')) {
        size = this.entriesOf(first)?.value
        const step = overload === 'index_list' ? '@items' : '@values'
        this.paths.set(expr.id, [...this.pathOf(first), step])
      }
      size ??= this.sizeOf(expr)
    }
    this.setSize(expr, size)
    return plus(targetCost, cost)
  }

  private costOfOverload(
    expr: CallExpr,
    overload: string,
    call: {
      readonly target: CostNode | undefined
      readonly args: readonly CostNode[]
      readonly argCosts: readonly Estimate[]
    },
  ): CallEstimate {
    const { target, args, argCosts } = call
    const found =
      estimateOverload(overload, call, this.sizeOfPath) ??
      estimateLibraryCall({ name: expr.name, overload, target, args }, this.sizeOfPath)
    if (found !== undefined) return { ...found, cost: plus(found.cost, ...argCosts) }
    return this.costOfStandardCall(expr, overload, call)
  }

  private costOfStandardCall(
    expr: CallExpr,
    overload: string,
    {
      target,
      args,
      argCosts,
    }: {
      readonly target: CostNode | undefined
      readonly args: readonly CostNode[]
      readonly argCosts: readonly Estimate[]
    },
  ): CallEstimate {
    const [firstCost = zero, secondCost = zero, thirdCost = zero] = argCosts
    const [left, right, last] = args
    switch (overload) {
      case 'logical_or':
      case 'logical_and':
        return { cost: { min: firstCost.min, max: plus(firstCost, secondCost).max } }
      case 'conditional': {
        const size = union(sizeOrUnknown(right), sizeOrUnknown(last))
        this.setEntries(expr, this.joined(right?.expr, last?.expr))
        return { cost: plus(firstCost, union(secondCost, thirdCost)), size }
      }
      case 'add_string':
      case 'add_bytes':
      case 'add_list': {
        const size = plus(sizeOrUnknown(left), sizeOrUnknown(right))
        this.setEntries(expr, this.joined(left?.expr, right?.expr))
        const cost = overload === 'add_list' ? one : byFactor(size, 0.1)
        return { cost: plus(cost, ...argCosts), size }
      }
      default: {
        const found = estimateStandardCall(overload, target, args)
        return { ...found, cost: plus(found.cost, ...argCosts) }
      }
    }
  }

  private joined(left: Expr | undefined, right: Expr | undefined): EntrySize | undefined {
    const mine = left && this.entriesOf(left)
    const theirs = right && this.entriesOf(right)
    if (mine === undefined || theirs === undefined) return undefined
    return {
      kind: mine.kind,
      key: union(mine.key, theirs.key),
      value: union(mine.value, theirs.value),
    }
  }

  private nodeOf(expr: Expr): CostNode {
    const path = this.pathOf(expr)
    const isAccumulator = path[0] === accumulatorName
    return {
      expr,
      type: this.typeOf(expr),
      path: isAccumulator ? [] : path,
      size: this.sizeOf(expr),
    }
  }

  private setSize(expr: Expr, size: Estimate | undefined): void {
    if (size !== undefined) this.sizes.set(expr.id, size)
  }

  private setEntries(expr: Expr, entries: EntrySize | undefined): void {
    if (entries !== undefined) this.entrySizes.set(expr.id, entries)
  }

  private sizeOrUnknown(expr: Expr): Estimate {
    return this.sizeOf(expr) ?? unknownSize
  }

  private sizeOf(expr: Expr): Estimate | undefined {
    const known = this.sizes.get(expr.id) ?? sizeOfLiteral(expr)
    if (known !== undefined) return known
    const path = this.pathOf(expr)
    const declared = path.length === 0 ? undefined : this.sizeOfPath(path)
    if (declared !== undefined) {
      this.sizes.set(expr.id, declared)
      return declared
    }
    if (isScalar(this.typeOf(expr))) return one
    return expr.kind === 'ident' ? this.local(expr.name)?.size : undefined
  }

  private entriesOf(expr: Expr): EntrySize | undefined {
    const known = this.entrySizes.get(expr.id)
    if (known !== undefined) return known
    return expr.kind === 'ident' ? this.local(expr.name)?.entries : undefined
  }
}

/** A loop that only binds a name, as `optMap` makes it. */
function isBinding(expr: ComprehensionExpr): boolean {
  return (
    expr.range.kind === 'list' &&
    expr.range.elements.length === 0 &&
    expr.condition.kind === 'literal' &&
    expr.condition.value === false &&
    expr.accumulator !== '__result__'
  )
}

function sizeOfLiteral(expr: Expr): Estimate | undefined {
  if (expr.kind === 'list') return fixed(BigInt(expr.elements.length))
  if (expr.kind === 'map') return fixed(BigInt(expr.entries.length))
  if (expr.kind !== 'literal') return undefined
  if (typeof expr.value === 'string') return fixed(BigInt(textSize(expr.value)))
  return expr.value instanceof Uint8Array ? fixed(BigInt(expr.value.length)) : one
}

const scalars = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint'])

function isScalar(type: CelType): boolean {
  if (type.kind === 'opaque' && type.name === 'optional_type') {
    return isScalar(type.parameters[0] ?? celTypes.dyn)
  }
  return scalars.has(type.kind)
}
