/** Checks an expression: resolves names and overloads and finds the type of each node. */
import { qualifiedName, type CallExpr, type Expr, type NodeIds } from '../syntax/ast.ts'
import type { SourceProblems } from '../syntax/source-problems.ts'
import {
  celTypes,
  isOptionalType,
  listType,
  mapType,
  optionalType,
  parameterType,
  printType,
  sameType,
  type CelType,
} from './cel-type.ts'
import type { FunctionDeclaration, Overload } from './function-declaration.ts'
import { typeOfLiteral } from './literal-type.ts'
import { Names, type Declarations } from './scoped-names.ts'
import { assign, isDynOrError, mostGeneral, substitute, type Substitutions } from './unify.ts'

/** What the checker found out about the nodes, by their ids. */
export interface CheckedExpr {
  readonly expr: Expr
  readonly types: ReadonlyMap<number, CelType>
  /** The overloads of calls. */
  readonly overloads: ReadonlyMap<number, readonly string[]>
  /** The variables that names stand for. */
  readonly references: ReadonlyMap<number, string>
}

/** Checks the expression and reports errors to `problems`. */
export function checkExpression(
  parsed: { readonly expr: Expr; readonly ids: NodeIds; readonly problems: SourceProblems },
  declarations: Declarations,
): CheckedExpr {
  const checker = new Checker(parsed.ids, parsed.problems, declarations)
  return checker.run(parsed.expr)
}

class Checker {
  private readonly ids: NodeIds
  private readonly problems: SourceProblems
  private readonly names: Names
  private readonly types = new Map<number, CelType>()
  private readonly overloads = new Map<number, readonly string[]>()
  private readonly references = new Map<number, string>()
  private known: Substitutions = new Map()
  private parameterCount = 0

  constructor(ids: NodeIds, problems: SourceProblems, declarations: Declarations) {
    this.ids = ids
    this.problems = problems
    this.names = new Names(declarations)
  }

  run(root: Expr): CheckedExpr {
    const expr = this.check(root)
    for (const [id, type] of this.types) this.types.set(id, substitute(this.known, type, true))
    const { types, overloads, references } = this
    return { expr, types, overloads, references }
  }

  private report(id: number, message: string): void {
    this.problems.report(this.ids.offsetOf(id), message)
  }

  private typeOf(expr: Expr): CelType {
    return this.types.get(expr.id) ?? celTypes.error
  }

  private fits(one: CelType, other: CelType): boolean {
    const found = assign(this.known, [one], [other])
    if (found === undefined) return false
    this.known = found
    return true
  }

  private newParameter(): CelType {
    return parameterType(`_var${this.parameterCount++}`)
  }

  private undeclared(id: number, name: string): void {
    const { container } = this.names.declarations
    this.report(id, `undeclared reference to '${name}' (in container '${container}')`)
    this.types.set(id, celTypes.error)
  }

  private check(expr: Expr): Expr {
    switch (expr.kind) {
      case 'literal':
        this.types.set(expr.id, typeOfLiteral(expr.value))
        return expr
      case 'ident':
        return this.checkIdent(expr.id, expr.name) ?? this.undeclaredIdent(expr)
      case 'select':
        return this.checkSelect(expr)
      case 'call':
        return this.checkCall(expr)
      case 'list':
        return this.checkList(expr)
      case 'map':
        return this.checkMap(expr)
      case 'struct':
        return this.checkStruct(expr)
      case 'comprehension':
        return this.checkComprehension(expr)
      case 'broken':
        this.types.set(expr.id, celTypes.error)
        return expr
    }
  }

  private checkIdent(id: number, name: string): Expr | undefined {
    const variable = this.names.lookupVariable(name)
    if (variable === undefined) return undefined
    this.types.set(id, variable.type)
    this.references.set(id, variable.name)
    return { kind: 'ident', id, name: variable.name }
  }

  private undeclaredIdent(expr: Expr & { kind: 'ident' }): Expr {
    this.undeclared(expr.id, expr.name)
    return expr
  }

  private checkSelect(expr: Expr & { kind: 'select' }): Expr {
    const name = qualifiedName(expr)
    const ident = name === undefined ? undefined : this.checkIdent(expr.id, name)
    if (ident !== undefined) return ident
    const operand = this.check(expr.operand)
    const type = this.fieldType(expr, operand, false)
    const result = expr.isTest ? celTypes.bool : type
    this.types.set(expr.id, substitute(this.known, result, false))
    return { ...expr, operand }
  }

  /** The type of a field; reports if the operand cannot have it. */
  private fieldType(
    { id, field }: { readonly id: number; readonly field: string },
    operand: Expr,
    isOptional: boolean,
  ): CelType {
    const operandType = substitute(this.known, this.typeOf(operand), false)
    const wasOptional = isOptionalType(operandType)
    const target = wasOptional ? (operandType.parameters[0] ?? celTypes.dyn) : operandType
    const type = this.plainFieldType(id, target, field)
    return wasOptional || isOptional ? optionalType(type) : type
  }

  private plainFieldType(id: number, target: CelType, field: string): CelType {
    if (target.kind === 'map') return target.parameters[1] ?? celTypes.dyn
    if (target.kind === 'object') {
      const type = this.names.fieldType(target.name, field)
      if (type !== undefined) return type
      const isUnknown = this.names.objectType(target.name) === undefined
      const resolution = `unexpected failed resolution of '${target.name}'`
      this.report(id, isUnknown ? resolution : `undefined field '${field}'`)
      return celTypes.error
    }
    if (target.kind === 'parameter') this.fits(celTypes.dyn, target)
    else if (!isDynOrError(target)) {
      this.report(id, `type '${printType(target)}' does not support field selection`)
    }
    return celTypes.dyn
  }

  private checkCall(expr: CallExpr): Expr {
    if (expr.name === '_?._') return this.checkOptionalSelect(expr)
    const args = expr.args.map((arg) => this.check(arg))
    const { id, target } = expr
    const prefix = target === undefined ? undefined : qualifiedName(target)
    const globalName = target === undefined ? expr.name : prefix && `${prefix}.${expr.name}`
    const global = globalName === undefined ? undefined : this.names.lookupFunction(globalName)
    if (global !== undefined) {
      const call: CallExpr = { kind: 'call', id, name: global.name, args }
      this.resolve(call, global)
      return call
    }
    if (target === undefined) {
      this.undeclared(id, expr.name)
      return { ...expr, args }
    }
    const call: CallExpr = { ...expr, target: this.check(target), args }
    const method = this.names.lookupFunction(expr.name)
    if (method === undefined) this.undeclared(id, expr.name)
    else this.resolve(call, method)
    return call
  }

  private checkOptionalSelect(expr: CallExpr): Expr {
    const [operand, field] = expr.args
    if (operand === undefined || field?.kind !== 'literal') return expr
    const checked = this.check(operand)
    const name = typeof field.value === 'string' ? field.value : ''
    const type = this.fieldType({ id: expr.id, field: name }, checked, true)
    this.types.set(field.id, celTypes.string)
    this.types.set(expr.id, substitute(this.known, type, false))
    this.overloads.set(expr.id, ['select_optional_field'])
    return { ...expr, args: [checked, field] }
  }

  /** Finds the overloads that fit the arguments, and the type of the result. */
  private resolve(call: CallExpr, declaration: FunctionDeclaration): void {
    const operands = call.target === undefined ? call.args : [call.target, ...call.args]
    const argTypes = operands.map((operand) => this.typeOf(operand))
    if (declaration.name === '_&&_' || declaration.name === '_||_') {
      this.resolveLogic(call, argTypes)
      return
    }
    const found: string[] = []
    let result: CelType | undefined
    for (const overload of declaration.overloads) {
      if (overload.isMember !== (call.target !== undefined)) continue
      const type = this.resultOf(overload, argTypes)
      if (type === undefined) continue
      found.push(overload.id)
      if (result === undefined) result = type
      else if (result.kind !== 'dyn' && !sameType(type, result)) result = celTypes.dyn
    }
    if (result === undefined) {
      this.noOverload(call, declaration.name, argTypes)
      return
    }
    this.types.set(call.id, result)
    this.overloads.set(call.id, found)
  }

  private resultOf(overload: Overload, argTypes: readonly CelType[]): CelType | undefined {
    const fresh: Substitutions = new Map()
    for (const name of overload.parameters) fresh.set(name, this.newParameter())
    const wanted = overload.args.map((type) => substitute(fresh, type, false))
    const known = assign(this.known, argTypes, wanted)
    if (known === undefined) return undefined
    this.known = known
    return substitute(known, substitute(fresh, overload.result, false), false)
  }

  private resolveLogic(call: CallExpr, argTypes: readonly CelType[]): void {
    let isValid = true
    for (const [index, type] of argTypes.entries()) {
      if (this.fits(type, celTypes.bool)) continue
      isValid = false
      this.mismatch(call.args[index]?.id ?? 0, celTypes.bool, type)
    }
    this.types.set(call.id, isValid ? celTypes.bool : celTypes.error)
    const id = call.name === '_&&_' ? 'logical_and' : 'logical_or'
    if (isValid) this.overloads.set(call.id, [id])
  }

  private noOverload(call: CallExpr, name: string, argTypes: readonly CelType[]): void {
    const texts = argTypes.map((type) => printType(substitute(this.known, type, true)))
    const target = call.target === undefined ? '' : `${texts.shift() ?? ''}.`
    const signature = `${target}(${texts.join(', ')})`
    this.report(call.id, `found no matching overload for '${name}' applied to '${signature}'`)
    this.types.set(call.id, celTypes.error)
  }

  private mismatch(id: number, expected: CelType, actual: CelType): void {
    this.report(id, `expected type '${printType(expected)}' but found '${printType(actual)}'`)
  }

  /** The type of an element that is written `?element`. */
  private unwrap(expr: Expr, type: CelType): CelType {
    if (isOptionalType(type)) return type.parameters[0] ?? celTypes.dyn
    if (type.kind !== 'dyn') this.mismatch(expr.id, optionalType(type), type)
    return type
  }

  /** The type of elements with two types: `dyn` if they differ; `checkLiterals` reports that. */
  private join(previous: CelType | undefined, current: CelType): CelType {
    if (previous === undefined) return current
    return this.fits(previous, current) ? mostGeneral(previous, current) : celTypes.dyn
  }

  private checkList(expr: Expr & { kind: 'list' }): Expr {
    let type: CelType | undefined
    const elements = expr.elements.map((element, index) => {
      const checked = this.check(element)
      const elementType = this.typeOf(checked)
      const plain = expr.optionals.has(index) ? this.unwrap(checked, elementType) : elementType
      type = this.join(type, plain)
      return checked
    })
    this.types.set(expr.id, listType(type ?? this.newParameter()))
    return { ...expr, elements }
  }

  private checkMap(expr: Expr & { kind: 'map' }): Expr {
    let keyType: CelType | undefined
    let valueType: CelType | undefined
    const entries = expr.entries.map((entry) => {
      const key = this.check(entry.key)
      keyType = this.join(keyType, this.typeOf(key))
      const value = this.check(entry.value)
      const type = this.typeOf(value)
      valueType = this.join(valueType, entry.isOptional ? this.unwrap(value, type) : type)
      return { ...entry, key, value }
    })
    const type = mapType(keyType ?? this.newParameter(), valueType ?? this.newParameter())
    this.types.set(expr.id, type)
    return { ...expr, entries }
  }

  private checkStruct(expr: Expr & { kind: 'struct' }): Expr {
    const name = this.names
      .candidates(expr.typeName)
      .find((candidate) => this.names.objectType(candidate) !== undefined)
    const type = name === undefined ? undefined : this.names.objectType(name)
    if (name === undefined || type === undefined) {
      const other = this.names.lookupVariable(expr.typeName)
      if (other === undefined) this.undeclared(expr.id, expr.typeName)
      else this.notAMessage(expr.id, other.type)
      return expr
    }
    this.types.set(expr.id, type)
    const fields = expr.fields.map((field) => {
      const value = this.check(field.value)
      const valueType = this.typeOf(value)
      const plain = field.isOptional ? this.unwrap(value, valueType) : valueType
      const wanted = this.plainFieldType(field.id, type, field.name)
      if (!this.fits(wanted, plain)) {
        this.report(
          field.id,
          `expected type of field '${field.name}' is '${printType(wanted)}' but provided type is '${printType(plain)}'`,
        )
      }
      return { ...field, value }
    })
    return { ...expr, typeName: name, fields }
  }

  private notAMessage(id: number, type: CelType): void {
    const [named] = type.parameters
    const text = type.kind === 'type' ? 'is not a message type' : 'is not a type'
    this.report(id, `'${(type.kind === 'type' ? named : type)?.name ?? ''}' ${text}`)
    this.types.set(id, celTypes.error)
  }

  private checkComprehension(expr: Expr & { kind: 'comprehension' }): Expr {
    const range = this.check(expr.range)
    const init = this.check(expr.init)
    const rangeType = substitute(this.known, this.typeOf(range), false)
    const accumulatorType = this.typeOf(init)
    this.names.enter(new Map([[expr.accumulator, accumulatorType]]))
    const [first, second] = this.variableTypes(range, rangeType, expr.variable2 !== undefined)
    const variables = new Map([[expr.variable, first]])
    if (expr.variable2 !== undefined) variables.set(expr.variable2, second)
    this.names.enter(variables)
    const condition = this.check(expr.condition)
    this.assertType(condition, celTypes.bool)
    const step = this.check(expr.step)
    this.assertType(step, accumulatorType)
    this.names.leave()
    const result = this.check(expr.result)
    this.names.leave()
    this.types.set(expr.id, substitute(this.known, this.typeOf(result), false))
    return { ...expr, range, init, condition, step, result }
  }

  private variableTypes(range: Expr, type: CelType, isPair: boolean): [CelType, CelType] {
    const [first = celTypes.dyn, second = celTypes.dyn] = type.parameters
    switch (type.kind) {
      case 'list':
        return isPair ? [celTypes.int, first] : [first, celTypes.dyn]
      case 'map':
        return [first, second]
      case 'dyn':
      case 'error':
      case 'parameter':
        this.fits(celTypes.dyn, type)
        return [celTypes.dyn, celTypes.dyn]
      default:
        this.report(
          range.id,
          `expression of type '${printType(type)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        )
        return [celTypes.error, celTypes.error]
    }
  }

  private assertType(expr: Expr, type: CelType): void {
    if (!this.fits(type, this.typeOf(expr))) this.mismatch(expr.id, type, this.typeOf(expr))
  }
}
