/**
 * expressions/: the CEL expressions of admission: the variables that they can use, and their
 * programs.
 *
 * validation/ compiles the expressions of a new configuration, and admission/ evaluates them. The
 * language itself is in `setpoint/cel`.
 */
export type { CompiledExpression } from './compile-expression.ts'
export {
  mutationExpression,
  policyPrograms,
  type MutationExpression,
  type PolicyPrograms,
} from './policy-programs.ts'
export { webhookCondition } from './webhook-condition.ts'
