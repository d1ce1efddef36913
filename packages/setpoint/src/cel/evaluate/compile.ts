/**
 * Compiles a checked expression to closures. Each closure returns its value or error and counts the
 * cost that cel-go's cost tracker counts for the same node.
 */
import type { CallExpr, ComprehensionExpr, Expr } from '../syntax/ast.ts'
import type { CheckedExpr } from '../types/checker.ts'
import type { Declarations } from '../types/scoped-names.ts'
import {
  ArrayList,
  CelError,
  CelOptional,
  CelTypeValue,
  EntryMap,
  type CelResult,
  type CelValue,
} from '../values/cel-value.ts'
import { celEquals } from '../values/equality.ts'
import { compilePattern } from '../values/compile-pattern.ts'
import { Attribute, invalidKey, isKey } from './attribute.ts'
import { buildList, buildMessage, setEntry } from './build-literal.ts'
import { binaryCost } from './call-cost.ts'
import { compileCall } from './compile-call.ts'
import { compileLoop } from './compile-loop.ts'
import type { Evaluate, Frame } from './frame.ts'
import { constantMembership } from './membership.ts'

/** A compiled node. Constants and attributes stay recognisable for the nodes above them. */
interface Plan {
  readonly evaluate: Evaluate
  readonly constant?: { readonly value: CelValue }
  readonly attribute?: Attribute
}

/** The part of an expression that cannot be evaluated, found before the first evaluation. */
export class CompileFailure extends Error {}

/** Functions whose calls with a constant are computed once. */
const conversions = new Set(
  'bool bytes double duration dyn int string timestamp type uint'.split(' '),
)

/** What the evaluation of an expression uses. */
type Usable = Pick<Declarations, 'functions' | 'findMessage'>

/** A compiled expression. */
export interface CompiledExpr {
  readonly evaluate: Evaluate
  readonly slotCount: number
}

/** Compiles the expression; throws a `CompileFailure` if a constant part of it fails. */
export function compileExpression(checked: CheckedExpr, declarations: Usable): CompiledExpr {
  const compiler = new Compiler(checked, declarations)
  const { evaluate } = compiler.plan(checked.expr)
  return { evaluate, slotCount: compiler.slotCount }
}

/** Compiles the nodes of one expression. */
class Compiler {
  slotCount = 0
  private readonly checked: CheckedExpr
  private readonly declarations: Usable
  /** The slots of the variables of the loops around the current node; a hidden one is below. */
  private readonly slots = new Map<string, Evaluate[]>()

  constructor(checked: CheckedExpr, declarations: Usable) {
    this.checked = checked
    this.declarations = declarations
  }

  plan(expr: Expr): Plan {
    switch (expr.kind) {
      case 'literal':
        return constant(expr.value)
      case 'ident':
        return this.planIdent(expr.id, expr.name)
      case 'select':
        return this.planSelect(expr)
      case 'call':
        return this.planCall(expr)
      case 'list':
        return this.planList(expr)
      case 'map':
        return this.planMap(expr)
      case 'comprehension':
        return this.planLoop(expr)
      case 'struct':
        return this.planStruct(expr)
      case 'broken':
        throw new CompileFailure(`unsupported expression`)
    }
  }

  /** Runs `body` while a name stands for what `evaluate` returns. */
  withVariable<Result>(name: string, evaluate: Evaluate, body: () => Result): Result {
    const outer = this.slots.get(name) ?? []
    this.slots.set(name, [...outer, evaluate])
    const result = body()
    this.slots.set(name, outer)
    return result
  }

  private planIdent(id: number, name: string): Plan {
    const type = this.checked.types.get(id)
    const evaluateLocal = this.slots.get(name)?.at(-1)
    if (evaluateLocal === undefined && type?.kind === 'type') {
      const [named] = type.parameters
      if (named !== undefined) return constant(new CelTypeValue(named))
    }
    const evaluate: Evaluate =
      evaluateLocal ??
      ((frame) => {
        const value = frame.bindings[name]
        return value === undefined ? new CelError(`no such attribute(s): ${name}`) : value
      })
    return attributePlan(new Attribute({ kind: 'value', evaluate }))
  }

  private planSelect(expr: Expr & { kind: 'select' }): Plan {
    const attribute = attributeOf(this.plan(expr.operand))
    attribute.add({
      isOptional: false,
      isTest: expr.isTest,
      constant: expr.field,
      key: undefined,
    })
    return expr.isTest ? testPlan(attribute) : attributePlan(attribute)
  }

  private planCall(expr: CallExpr): Plan {
    const operands = expr.target === undefined ? expr.args : [expr.target, ...expr.args]
    const plans = operands.map((operand) => this.plan(operand))
    const [first = constant(null), second = constant(null), third = constant(null)] = plans
    switch (expr.name) {
      case '_&&_':
        return { evaluate: logic(false, first.evaluate, second.evaluate) }
      case '_||_':
        return { evaluate: logic(true, first.evaluate, second.evaluate) }
      case '_?_:_':
        return choicePlan(first, second, third)
      case '_==_':
      case '_!=_':
        return { evaluate: equality(expr.name, first.evaluate, second.evaluate) }
      case '_[_]':
        return indexPlan(first, second, false)
      case '_[?_]':
      case '_?._':
        return indexPlan(first, second, true)
      default:
        return this.planFunction(expr, plans)
    }
  }

  private planFunction(expr: CallExpr, plans: readonly Plan[]): Plan {
    const overloads = this.checked.overloads.get(expr.id) ?? []
    const overloadId = overloads.length === 1 ? (overloads[0] ?? '') : ''
    const [element, list] = plans
    if (overloadId === 'in_list' && element !== undefined && list?.constant !== undefined) {
      const membership = constantMembership(element.evaluate, list.constant.value)
      if (membership !== undefined) {
        return typeof membership === 'boolean' ? constant(membership) : { evaluate: membership }
      }
    }
    const hasConstantPattern = isConstantPattern(expr.name, list)
    const alternative = optionalAlternative(expr.name, plans)
    if (alternative !== undefined) return { evaluate: alternative }
    const declaration = this.declarations.functions.get(expr.name)
    const evaluate = compileCall(
      { name: expr.name, overloadId, declaration, hasConstantPattern },
      plans.map((plan) => plan.evaluate),
    )
    return conversions.has(expr.name) ? foldConversion(evaluate, plans) : { evaluate }
  }

  private planList(expr: Expr & { kind: 'list' }): Plan {
    const plans = expr.elements.map((element) => this.plan(element))
    const constants = plans.flatMap((plan) => (plan.constant ? [plan.constant.value] : []))
    if (constants.length === plans.length && expr.optionals.size === 0) {
      return constant(new ArrayList(constants))
    }
    const parts = plans.map((plan) => plan.evaluate)
    const { optionals } = expr
    const evaluate: Evaluate = (frame) => {
      const result = buildList(frame, parts, optionals)
      frame.spend(10)
      return result
    }
    return { evaluate }
  }

  private planMap(expr: Expr & { kind: 'map' }): Plan {
    const entries = expr.entries.map((entry) => ({
      key: this.plan(entry.key),
      value: this.plan(entry.value),
      isOptional: entry.isOptional,
    }))
    const build: Evaluate = (frame) => {
      const map = new EntryMap()
      for (const { key, value, isOptional } of entries) {
        const keyValue = key.evaluate(frame)
        if (keyValue instanceof CelError) return keyValue
        const entryValue = value.evaluate(frame)
        if (entryValue instanceof CelError) return entryValue
        const problem = setEntry(map, [keyValue, entryValue], isOptional)
        if (problem !== undefined) return problem
      }
      return map
    }
    const isConstant = entries.every(
      ({ key, value, isOptional }) => key.constant && value.constant && !isOptional,
    )
    if (isConstant) {
      const map = new EntryMap()
      for (const { key, value } of entries) {
        map.set(key.constant?.value ?? null, value.constant?.value ?? null)
      }
      return constant(map)
    }
    return {
      evaluate: (frame) => {
        const result = build(frame)
        frame.spend(30)
        return result
      },
    }
  }

  private planStruct(expr: Expr & { kind: 'struct' }): Plan {
    const message = this.declarations.findMessage(expr.typeName)
    if (message === undefined) throw new CompileFailure(`unsupported expression`)
    const parts = expr.fields.map(({ name, value, isOptional }) => ({
      name,
      evaluate: this.plan(value).evaluate,
      isOptional,
    }))
    return { evaluate: buildMessage(message, parts) }
  }

  private planLoop(expr: ComprehensionExpr): Plan {
    return { evaluate: compileLoop(this, expr) }
  }

  /** A new slot for a variable of a loop. */
  newSlot(): number {
    return this.slotCount++
  }
}

function constant(value: CelValue): Plan {
  return { evaluate: () => value, constant: { value } }
}

function attributePlan(attribute: Attribute): Plan {
  const evaluate: Evaluate = attribute.isChoice
    ? (frame) => attribute.resolve(frame)
    : (frame) => {
        const value = attribute.resolve(frame)
        frame.spend(1)
        return value
      }
  return { evaluate, attribute }
}

/** `has(a.b)`: the test costs 1, the attribute nothing. */
function testPlan(attribute: Attribute): Plan {
  const evaluate: Evaluate = (frame) => {
    const value = attribute.resolve(frame)
    return value instanceof CelOptional ? value.value !== undefined : value
  }
  return { evaluate, attribute }
}

function attributeOf(plan: Plan): Attribute {
  return plan.attribute ?? new Attribute({ kind: 'value', evaluate: plan.evaluate })
}

function choicePlan(condition: Plan, yes: Plan, no: Plan): Plan {
  const root = {
    kind: 'choice',
    condition: condition.evaluate,
    yes: attributeOf(yes),
    no: attributeOf(no),
  } as const
  return attributePlan(new Attribute(root))
}

function indexPlan(operand: Plan, index: Plan, isOptional: boolean): Plan {
  const attribute = attributeOf(operand)
  const { attribute: keyAttribute } = index
  const key: Evaluate =
    keyAttribute === undefined ? index.evaluate : (frame) => keyAttribute.resolve(frame)
  const isTest = false
  if (index.constant !== undefined && !isKey(index.constant.value)) {
    throw new CompileFailure(invalidKey(index.constant.value).message)
  }
  attribute.add(
    index.constant === undefined
      ? { isOptional, isTest, constant: undefined, key }
      : { isOptional, isTest, constant: index.constant.value, key: undefined },
  )
  return attributePlan(attribute)
}

/** `&&` and `||`: one side that decides is enough, even if the other one fails. */
function logic(decides: boolean, one: Evaluate, other: Evaluate): Evaluate {
  return (frame) => {
    const left = one(frame)
    if (left === decides) return decides
    const right = other(frame)
    if (right === decides) return decides
    if (typeof left !== 'boolean') return asError(left)
    return typeof right === 'boolean' ? !decides : asError(right)
  }
}

function asError(value: CelResult): CelError {
  return value instanceof CelError ? value : new CelError('no such overload')
}

function equality(name: '_==_' | '_!=_', one: Evaluate, other: Evaluate): Evaluate {
  return (frame) => {
    const left = one(frame)
    const right = other(frame)
    let result: CelResult
    if (left instanceof CelError) result = left
    else if (right instanceof CelError) result = right
    else {
      const isEqual = celEquals(left, right)
      result = name === '_==_' ? isEqual : isEqual !== true
    }
    frame.spend(binaryCost(name, left, right))
    return result
  }
}

/** Whether the call has a constant pattern; it has to be valid before the first evaluation. */
function isConstantPattern(name: string, pattern: Plan | undefined): boolean {
  if (name !== 'find' && name !== 'findAll' && name !== 'matches') return false
  const value = pattern?.constant?.value
  if (typeof value !== 'string') return false
  const compiled = compilePattern(value)
  if (compiled instanceof CelError) throw new CompileFailure(compiled.message)
  return true
}

/** `or` and `orValue`: the second value is evaluated if the first one is absent. */
function optionalAlternative(name: string, plans: readonly Plan[]): Evaluate | undefined {
  const [first, second] = plans
  if (name !== 'or' && name !== 'orValue') return undefined
  if (first === undefined || second === undefined) return undefined
  return (frame) => {
    const optional = first.evaluate(frame)
    if (!(optional instanceof CelOptional)) return optional
    if (optional.value === undefined) return second.evaluate(frame)
    return name === 'or' ? optional : optional.value
  }
}

/** Computes a conversion of a constant now. */
function foldConversion(evaluate: Evaluate, plans: readonly Plan[]): Plan {
  const [argument] = plans
  if (plans.length !== 1 || argument?.constant === undefined) return { evaluate }
  const result = evaluate(freeFrame as Frame)
  if (result instanceof CelError) throw new CompileFailure(result.message)
  return constant(result)
}

const freeFrame: Pick<Frame, 'spend'> = { spend: () => undefined }
