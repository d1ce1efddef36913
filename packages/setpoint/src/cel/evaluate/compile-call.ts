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
}

/** Compiles a call; its arguments include the target of a method. */
export function compileCall(callee: Callee, args: readonly Evaluate[]): Evaluate {
  const run = implementationOf(callee)
  const { name, overloadId } = callee
  const [first, second] = args
  if (args.length === 1 && first !== undefined) {
    const isLenient = name === '@not_strictly_false' || name === '__not_strictly_false__'
    return (frame) => {
      const value = first(frame)
      let result: CelResult
      if (isLenient) result = value !== false
      else result = value instanceof CelError ? value : run([value])
      frame.spend(callCost(name, overloadId, [value], result))
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
      frame.spend(callCost(name, overloadId, [one, other], result))
      return result
    }
  }
  return (frame) => {
    const values: CelValue[] = []
    for (const arg of args) {
      const value = arg(frame)
      // The cost of a call with three arguments is not counted if one of them fails.
      if (value instanceof CelError) return value
      values.push(value)
    }
    const result = run(values)
    frame.spend(callCost(name, overloadId, values, result))
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
