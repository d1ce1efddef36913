/** Checks of literals that Kubernetes adds: durations, timestamps, patterns, and mixed literals. */
import {
  checkedTimestamp,
  readDuration,
  readTimestamp,
  secondsMax,
  secondsMin,
} from '../library/time-arithmetic.ts'
import { clauseErrors, parseFormat } from '../library/string-format.ts'
import type { CallExpr, Expr, NodeIds } from '../syntax/ast.ts'
import { childrenOf } from '../syntax/children-of.ts'
import type { SourceProblems } from '../syntax/source-problems.ts'
import { CelError } from '../values/cel-value.ts'
import { compilePattern } from '../values/compile-pattern.ts'
import { celTypes, printType, sameType, type CelType } from './cel-type.ts'
import type { CheckedExpr } from './checker.ts'

/** Reports invalid literals. */
export function checkLiterals(checked: CheckedExpr, ids: NodeIds, problems: SourceProblems): void {
  new LiteralChecker(checked, ids, problems).run()
}

type Report = (id: number, message: string) => void

class LiteralChecker {
  private readonly checked: CheckedExpr
  private readonly report: Report

  constructor(checked: CheckedExpr, ids: NodeIds, problems: SourceProblems) {
    this.checked = checked
    this.report = (id, message) => problems.report(ids.offsetOf(id), message)
  }

  run(): void {
    this.visit(this.checked.expr, false)
  }

  private typeOf(expr: Expr): CelType {
    return this.checked.types.get(expr.id) ?? celTypes.dyn
  }

  /** Visits all nodes; inside `format([...])` elements can have different types. */
  private visit(expr: Expr, isExempt: boolean): void {
    if (expr.kind === 'call') this.checkCall(expr)
    if (!isExempt && expr.kind === 'list') this.checkList(expr)
    if (!isExempt && expr.kind === 'map') this.checkMap(expr)
    const isFormat = expr.kind === 'call' && expr.name === 'format'
    for (const child of childrenOf(expr)) this.visit(child, isExempt || isFormat)
  }

  private checkCall(expr: CallExpr): void {
    const [arg] = expr.args
    if (arg?.kind === 'literal' && isInvalidArgument(expr.name, arg.value)) {
      this.report(arg.id, `invalid ${expr.name} argument`)
    }
    if (expr.name === 'format' && arg?.kind === 'list') this.checkFormat(expr, arg)
  }

  private mismatch(id: number, expected: CelType, actual: CelType): void {
    this.report(id, `expected type '${printType(expected)}' but found '${printType(actual)}'`)
  }

  private checkList(expr: Expr & { kind: 'list' }): void {
    let first: CelType | undefined
    for (const [index, element] of expr.elements.entries()) {
      const type = this.typeOf(element)
      const plain = expr.optionals.has(index) ? (type.parameters[0] ?? type) : type
      first ??= plain
      if (sameType(first, plain)) continue
      this.mismatch(element.id, first, plain)
      return
    }
  }

  private checkMap(expr: Expr & { kind: 'map' }): void {
    let keyType: CelType | undefined
    let valueType: CelType | undefined
    for (const { key, value, isOptional } of expr.entries) {
      const type = this.typeOf(value)
      const plain = isOptional ? (type.parameters[0] ?? type) : type
      keyType ??= this.typeOf(key)
      valueType ??= plain
      if (!sameType(keyType, this.typeOf(key))) {
        this.mismatch(key.id, keyType, this.typeOf(key))
      }
      if (!sameType(valueType, plain)) this.mismatch(value.id, valueType, plain)
    }
  }

  private checkFormat(expr: CallExpr, list: Expr & { kind: 'list' }): void {
    if (expr.target?.kind !== 'literal' || typeof expr.target.value !== 'string') return
    const { elements } = list
    let index = 0
    for (const part of parseFormat(expr.target.value, elements.length)) {
      if ('problem' in part) {
        this.report(expr.id, part.problem)
        return
      }
      if (!('clause' in part)) continue
      const element = elements[index++]
      const bad = element && this.unsuitable(part.clause.letter, element)
      if (bad === undefined) continue
      const reason = (clauseErrors[part.clause.letter] ?? '') + this.typeOf(bad).name
      this.report(bad.id, `error during formatting: ${reason}`)
      return
    }
    if (elements.length > index) {
      const counts = `(expected ${index}, got ${elements.length})`
      this.report(expr.id, `too many arguments supplied to string.format ${counts}`)
    }
  }

  /** The part of an argument that the clause cannot print. */
  private unsuitable(letter: string, expr: Expr): Expr | undefined {
    const { kind } = this.typeOf(expr)
    if (kind !== 'dyn' && !(suitable[letter] ?? []).includes(kind)) return expr
    if (letter !== 's' || (expr.kind !== 'list' && expr.kind !== 'map')) return undefined
    for (const child of childrenOf(expr)) {
      const bad = this.unsuitable(letter, child)
      if (bad !== undefined) return bad
    }
    return undefined
  }
}

const suitable: Readonly<Record<string, readonly CelType['kind'][]>> = {
  s: [
    'list',
    'map',
    'int',
    'uint',
    'double',
    'bool',
    'string',
    'timestamp',
    'bytes',
    'duration',
    'type',
    'null',
  ],
  d: ['int', 'uint'],
  f: ['double', 'string'],
  e: ['double', 'string'],
  b: ['int', 'uint', 'bool'],
  x: ['int', 'uint', 'string', 'bytes'],
  X: ['int', 'uint', 'string', 'bytes'],
  o: ['int', 'uint'],
}

function isInvalidArgument(name: string, value: unknown): boolean {
  if (name === 'matches') {
    return typeof value === 'string' && compilePattern(value) instanceof CelError
  }
  if (name === 'duration') {
    return (
      typeof value === 'bigint' || (typeof value === 'string' && readDuration(value) === undefined)
    )
  }
  if (name !== 'timestamp') return false
  if (typeof value === 'bigint') return value < secondsMin || value > secondsMax
  if (typeof value !== 'string') return false
  const time = readTimestamp(value)
  return time === undefined || checkedTimestamp(time.nanoseconds) instanceof CelError
}
