import { celEnvironment, type CelEnvironment } from '../environment.ts'
import { celTypes } from '../types/cel-type.ts'
import { admissionObjectTypes, authorizerVariables, commonVariables } from './admission-types.ts'
import { compileExpression, type CompiledExpression } from './compile-expression.ts'

let environment: CelEnvironment | undefined

/** Made at the first use: most clusters have no such expressions. */
function webhookEnvironment(): CelEnvironment {
  environment ??= celEnvironment({
    variables: { ...commonVariables, ...authorizerVariables },
    objectTypes: admissionObjectTypes,
  })
  return environment
}

const compiled = new Map<string, CompiledExpression>()
const compiledMax = 1000

/**
 * Compiles a match condition of a webhook, whose result is true or false. Programs are kept, as the
 * same expressions are evaluated for every write.
 */
export function webhookCondition(source: string): CompiledExpression {
  let result = compiled.get(source)
  if (result !== undefined) return result
  result = compileExpression(webhookEnvironment(), source, [celTypes.bool])
  if (compiled.size >= compiledMax) compiled.clear()
  compiled.set(source, result)
  return result
}
