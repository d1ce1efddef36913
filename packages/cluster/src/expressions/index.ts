/**
 * expressions/: the CEL expressions of admission: the variables that they can use, and programs that
 * are compiled once.
 *
 * validation/ compiles the expressions of a new configuration, and admission/ evaluates them. The
 * language itself is in `setpoint/cel`.
 */
export { compiledExpression, type CompiledExpression } from './compiled-expression.ts'
