/** Compiles calls of functions. */
import { declaredOrder } from './dispatch.ts'
import type { FunctionDeclaration, Overload } from '../types/function-declaration.ts'
import { CelError, type CelResult, type CelValue } from '../values/cel-value.ts'
import { callCost } from './call-cost.ts'
import type { Evaluate } from './frame.ts'
import { isOfType, typeOfValue } from './runtime-type.ts'

/** The function of a call; the overload is empty if the types of the arguments decide it. */
interface Callee {
  readonly name: string
  readonly overloadId: string
  readonly declaration: FunctionDeclaration | undefined
  /** Whether the call has a constant regular expression, which cel-go compiles before. */
  readonly hasConstantPattern: boolean
}

/** Compiles a call; its arguments include the target of a method. */
export function compileCall(callee: Callee, args: readonly Evaluate[]): Evaluate {
  const run = implementationOf(callee)
  const { name } = callee
  const [first, second] = args
  if (stopsAtError(callee, args.length)) return compileSequence(callee, run, args)
  if (args.length === 1 && first !== undefined) {
    const isLenient = name === '@not_strictly_false' || name === '__not_strictly_false__'
    return (frame) => {
      const value = first(frame)
      let result: CelResult
      if (isLenient) result = value !== false
      else result = value instanceof CelError ? value : run([value])
      frame.spend(callCost(callee, [value], result))
      return result
    }
  }
  if (args.length === 2 && first !== undefined && second !== undefined) {
    return (frame) => {
      const one = first(frame)
      const other = second(frame)
      let result: CelResult
      if (one instanceof CelError) result = one
      else result = other instanceof CelError ? other : run([one, other])
      frame.spend(callCost(callee, [one, other], result))
      return result
    }
  }
  return compileSequence(callee, run, args)
}

/**
 * Whether an argument that fails ends the call before the next one is evaluated. cel-go does so for
 * functions that it calls with a list of arguments.
 */
function stopsAtError(callee: Callee, argCount: number): boolean {
  const { overloadId, declaration, hasConstantPattern } = callee
  if (argCount > 2 || hasConstantPattern || overloadId === 'string_format') return true
  const isDispatched = overloadId === '' && declaration?.singleton === undefined
  return isDispatched && (declaration?.overloads.length ?? 0) > 1
}

function compileSequence(callee: Callee, run: Run, args: readonly Evaluate[]): Evaluate {
  const last = args.length - 1
  return (frame) => {
    const values: CelValue[] = []
    for (const [index, arg] of args.entries()) {
      const value = arg(frame)
      if (!(value instanceof CelError)) {
        values.push(value)
        continue
      }
      // The cost counts if all arguments were evaluated.
      if (index === last) frame.spend(callCost(callee, [...values, value], value))
      return value
    }
    const result = run(values)
    frame.spend(callCost(callee, values, result))
    return result
  }
}

type Run = (values: readonly CelValue[]) => CelResult

function implementationOf({ name, overloadId, declaration }: Callee): Run {
  const singleton = declaration?.singleton
  if (singleton !== undefined) {
    const { run, accepts } = singleton
    return (values) =>
      accepts === undefined || accepts(values[0] ?? null)
        ? run(...values)
        : new CelError(`no such overload: ${name}`)
  }
  const overloads = declaredOrder(declaration, overloadId)
  return (values) => {
    const overload = overloads.find((candidate) => accepts(candidate, values))
    return overload?.run?.(...values) ?? noSuchOverload(name, values)
  }
}

function accepts({ args }: Overload, values: readonly CelValue[]): boolean {
  return (
    args.length === values.length &&
    args.every((type, index) => isOfType(type, values[index] ?? null))
  )
}

function noSuchOverload(name: string, values: readonly CelValue[]): CelError {
  const names = values.map((value) => typeOfValue(value).name)
  return new CelError(`no such overload: ${name}(${names.join(', ')})`)
}
