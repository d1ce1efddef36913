import type { CelEnvironment, Program } from '../environment.ts'
import { type CelType, printType, sameType } from '../types/cel-type.ts'

/** A program, or why there is none, in the words of a real server. */
export type CompiledExpression =
  | { readonly program: Program; readonly problem?: undefined }
  | { readonly program?: undefined; readonly problem: string }

/** Compiles an expression whose result must have one of these types; any type if none is given. */
export function compileExpression(
  environment: CelEnvironment,
  source: string,
  results: readonly CelType[] = [],
): CompiledExpression {
  const compilation = environment.compile(source)
  if (!compilation.ok) return { problem: `compilation failed: ${compilation.message}` }
  const { program } = compilation
  const { outputType } = program
  const fits = results.length === 0 || results.some((type) => sameType(type, outputType))
  if (fits) return { program }
  const nameOf = (type: CelType): string =>
    type.parameters.length === 0 ? type.name : printType(type)
  const names = results.map(nameOf)
  const shown = names.length === 1 ? (names[0] ?? '') : `one of [${names.join(' ')}]`
  return { problem: `must evaluate to ${shown} but got ${nameOf(outputType)}` }
}
