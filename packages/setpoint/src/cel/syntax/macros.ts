/** Expands macros: `has`, `all`, `exists`, `map`, `filter`, `optMap`, `transformList`, ... */
import { accumulatorName, type Expr, type MapEntry, type NodeIds } from './ast.ts'
import { copyExpr } from './copy-expr.ts'
import type { CelConstant } from '../values/cel-value.ts'

/** A call that might be a macro. */
export interface MacroCall {
  readonly offset: number
  readonly name: string
  readonly args: readonly Expr[]
  readonly target?: Expr | undefined
}

/** What is wrong with the arguments of a macro, and where. */
interface MacroProblem {
  readonly problem: string
  readonly offset: number
}

type Expansion = (macro: Macro) => Expr | MacroProblem

/** Expands the call; `undefined` if it is not a call of a macro. */
export function expandMacro(ids: NodeIds, call: MacroCall): Expr | MacroProblem | undefined {
  const style = call.target === undefined ? 'global' : 'member'
  const expansion = expansions.get(`${style} ${call.name} ${call.args.length}`)
  return expansion?.(new Macro(ids, call))
}

/** Makes the nodes of an expansion; all of them begin where the call begins. */
class Macro {
  readonly ids: NodeIds
  private readonly macroCall: MacroCall

  constructor(ids: NodeIds, call: MacroCall) {
    this.ids = ids
    this.macroCall = call
  }

  get target(): Expr {
    return this.macroCall.target ?? { kind: 'broken', id: 0 }
  }

  get argCount(): number {
    return this.macroCall.args.length
  }

  arg(index: number): Expr {
    return this.macroCall.args[index] ?? { kind: 'broken', id: 0 }
  }

  private id(): number {
    return this.ids.next(this.macroCall.offset)
  }

  problem(at: Expr, problem: string): MacroProblem {
    return { problem, offset: this.ids.offsetOf(at.id) }
  }

  literal(value: CelConstant): Expr {
    return { kind: 'literal', id: this.id(), value }
  }

  ident(name: string): Expr {
    return { kind: 'ident', id: this.id(), name }
  }

  get accumulator(): Expr {
    return this.ident(accumulatorName)
  }

  list(...elements: Expr[]): Expr {
    return { kind: 'list', id: this.id(), elements, optionals: new Set() }
  }

  emptyMap(): Expr {
    return { kind: 'map', id: this.id(), entries: [] as MapEntry[] }
  }

  call(name: string, ...args: Expr[]): Expr {
    return { kind: 'call', id: this.id(), name, args }
  }

  method(name: string, target: Expr, ...args: Expr[]): Expr {
    return { kind: 'call', id: this.id(), name, target, args }
  }

  select(operand: Expr, field: string): Expr {
    return { kind: 'select', id: this.id(), operand, field, isTest: true }
  }

  /** Adds one element to the accumulated list. */
  append(element: Expr): Expr {
    return this.call('_+_', this.accumulator, this.list(element))
  }

  /** Keeps the accumulated value if the condition is false. */
  onlyIf(condition: Expr | undefined, step: Expr): Expr {
    return condition === undefined ? step : this.call('_?_:_', condition, step, this.accumulator)
  }

  loop(
    variables: readonly string[],
    parts: { readonly init: Expr; readonly step: Expr } & Partial<{
      readonly range: Expr
      readonly accumulator: string
      readonly condition: Expr
      readonly result: Expr
    }>,
  ): Expr {
    const [variable = '', variable2] = variables
    const { condition = this.literal(true), result = this.accumulator } = parts
    const { range = this.target, accumulator = accumulatorName, init, step } = parts
    const loop = { range, variable, accumulator, init, condition, step, result }
    const id = this.id()
    return variable2 === undefined
      ? { kind: 'comprehension', id, ...loop }
      : { kind: 'comprehension', id, variable2, ...loop }
  }
}

const overwrites = 'iteration variable overwrites accumulator variable'

function isAccumulator(name: string): boolean {
  return name === accumulatorName || name === '__result__'
}

/** The names of the loop variables, or why an argument is not a name. */
function variablesOf(
  macro: Macro,
  count: number,
  notAName: string,
): readonly string[] | MacroProblem {
  const names: string[] = []
  for (let index = 0; index < count; index++) {
    const arg = macro.arg(index)
    if (arg.kind !== 'ident') return macro.problem(arg, notAName)
    names.push(arg.name)
  }
  const [first = '', second] = names
  if (first === second) return macro.problem(macro.arg(1), `duplicate variable name: ${first}`)
  const taken = names.findIndex(isAccumulator)
  return taken < 0 ? names : macro.problem(macro.arg(taken), overwrites)
}

function withVariables(
  count: number,
  notAName: string,
  expand: (macro: Macro, variables: readonly string[]) => Expr,
): Expansion {
  return (macro) => {
    const variables = variablesOf(macro, count, notAName)
    return 'problem' in variables ? variables : expand(macro, variables)
  }
}

const simpleName = 'argument must be a simple name'
const notIdentifier = 'argument is not an identifier'

function all(count: number): Expansion {
  return withVariables(count, simpleName, (macro, variables) =>
    macro.loop(variables, {
      init: macro.literal(true),
      condition: macro.call('@not_strictly_false', macro.accumulator),
      step: macro.call('_&&_', macro.accumulator, macro.arg(count)),
    }),
  )
}

function exists(count: number): Expansion {
  return withVariables(count, simpleName, (macro, variables) =>
    macro.loop(variables, {
      init: macro.literal(false),
      condition: macro.call('@not_strictly_false', macro.call('!_', macro.accumulator)),
      step: macro.call('_||_', macro.accumulator, macro.arg(count)),
    }),
  )
}

function existsOne(count: number): Expansion {
  return withVariables(count, simpleName, (macro, variables) =>
    macro.loop(variables, {
      init: macro.literal(0n),
      step: macro.onlyIf(macro.arg(count), macro.call('_+_', macro.accumulator, macro.literal(1n))),
      result: macro.call('_==_', macro.accumulator, macro.literal(1n)),
    }),
  )
}

/** `map` and `transformList`: the last argument is the element, the one before it a filter. */
function mapToList(count: number, notAName: string): Expansion {
  return withVariables(count, notAName, (macro, variables) => {
    const last = macro.argCount - 1
    const filter = last > count ? macro.arg(count) : undefined
    return macro.loop(variables, {
      init: macro.list(),
      step: macro.onlyIf(filter, macro.append(macro.arg(last))),
    })
  })
}

/** `transformMap` and `transformMapEntry`. */
function mapToMap(isEntry: boolean): Expansion {
  return withVariables(2, simpleName, (macro, variables) => {
    const last = macro.argCount - 1
    const filter = last > 2 ? macro.arg(2) : undefined
    const value = macro.arg(last)
    const insert = isEntry
      ? macro.call('cel.@mapInsert', macro.accumulator, value)
      : macro.call('cel.@mapInsert', macro.accumulator, macro.ident(variables[0] ?? ''), value)
    return macro.loop(variables, {
      init: macro.emptyMap(),
      step: macro.onlyIf(filter, insert),
    })
  })
}

const filter = withVariables(1, notIdentifier, (macro, variables) =>
  macro.loop(variables, {
    init: macro.list(),
    step: macro.onlyIf(macro.arg(1), macro.append(macro.arg(0))),
  }),
)

const has: Expansion = (macro) => {
  const arg = macro.arg(0)
  return arg.kind === 'select'
    ? macro.select(arg.operand, arg.field)
    : macro.problem(arg, 'invalid argument to has() macro')
}

/** Binds a name to a value in an expression: a loop that never runs. */
function bind(macro: Macro, name: string, parts: { init: Expr; result: Expr }): Expr {
  return macro.loop(['#unused'], {
    range: macro.list(),
    accumulator: name,
    init: parts.init,
    condition: macro.literal(false),
    step: macro.ident(name),
    result: parts.result,
  })
}

function optMap(name: 'optMap' | 'optFlatMap'): Expansion {
  return (macro) => {
    const variable = macro.arg(0)
    if (variable.kind !== 'ident') {
      return macro.problem(variable, `${name}() variable name must be a simple identifier`)
    }
    const hasValue = macro.method('hasValue', macro.target)
    const init = macro.method('value', copyExpr(macro.ids, macro.target))
    const bound = bind(macro, variable.name, { init, result: macro.arg(1) })
    const some = name === 'optMap' ? macro.call('optional.of', bound) : bound
    return macro.call('_?_:_', hasValue, some, macro.call('optional.none'))
  }
}

/** `list.sortBy(x, key)`: sorts by keys that are computed once for each element. */
const sortBy: Expansion = (macro) => {
  const variable = macro.arg(0)
  const { target } = macro
  if (!sortable.has(target.kind)) {
    return macro.problem(
      target,
      'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
    )
  }
  if (variable.kind !== 'ident') return macro.problem(variable, notIdentifier)
  if (isAccumulator(variable.name)) return macro.problem(variable, overwrites)
  const sorted = '@__sortBy_input__'
  const keys = macro.loop([variable.name], {
    range: macro.ident(sorted),
    init: macro.list(),
    step: macro.append(macro.arg(1)),
  })
  const call = macro.method('@sortByAssociatedKeys', macro.ident(sorted), keys)
  return bind(macro, sorted, { init: target, result: call })
}

const sortable = new Set(['list', 'select', 'ident', 'comprehension', 'call'])

const expansions: ReadonlyMap<string, Expansion> = new Map([
  ['global has 1', has],
  ['member all 2', all(1)],
  ['member all 3', all(2)],
  ['member exists 2', exists(1)],
  ['member exists 3', exists(2)],
  ['member exists_one 2', existsOne(1)],
  ['member exists_one 3', existsOne(2)],
  ['member existsOne 3', existsOne(2)],
  ['member map 2', mapToList(1, notIdentifier)],
  ['member map 3', mapToList(1, notIdentifier)],
  ['member filter 2', filter],
  ['member transformList 3', mapToList(2, simpleName)],
  ['member transformList 4', mapToList(2, simpleName)],
  ['member transformMap 3', mapToMap(false)],
  ['member transformMap 4', mapToMap(false)],
  ['member transformMapEntry 3', mapToMap(true)],
  ['member transformMapEntry 4', mapToMap(true)],
  ['member optMap 2', optMap('optMap')],
  ['member optFlatMap 2', optMap('optFlatMap')],
  ['member sortBy 2', sortBy],
])
