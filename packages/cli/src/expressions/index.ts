/**
 * expressions/: the CEL expressions of admission, checked without a cluster.
 *
 * `generate`, `deploy`, `dev` and `run` call `checkExpressions` for the operators of a project. The errors
 * have the words of a real API server. The schemas of built-in kinds are loaded only for policies.
 */
export { checkExpressions } from './check-expressions.ts'
