/**
 * expressions/: the CEL expressions of admission: the variables that they can use, and their
 * programs.
 *
 * validation/ compiles the expressions of a new configuration, admission/ evaluates them, and a
 * controller checks them with the types of objects. The language itself is in `setpoint/cel`.
 */
export type { CompiledExpression } from './compile-expression.ts'
export {
  mutationExpression,
  policyPrograms,
  type MutationExpression,
  type PolicyPrograms,
} from './policy-programs.ts'
export { typeWarnings, type CheckedKind } from './type-warnings.ts'
export { webhookCondition } from './webhook-condition.ts'
