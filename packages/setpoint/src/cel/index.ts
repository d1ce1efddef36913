/**
 * cel/: the Common Expression Language as API servers of Kubernetes 1.36 evaluate it.
 *
 * The embedded API server checks and evaluates the rules of CRDs with it, and policies use the same
 * engine. It has the behaviour of cel-go with Kubernetes' libraries: messages, estimated and actual
 * costs, and errors. Tests compare it with recorded results. It computes only: no time, network or
 * files. Evaluations end when they reach a limit of cost, and regular expressions take linear time.
 */
export type { CompiledExpression } from './admission/compile-expression.ts'
export { policyProblems, type ExpressionProblem } from './admission/policy-problems.ts'
export {
  mutationExpression,
  policyPrograms,
  type MutationExpression,
  type PolicyPrograms,
} from './admission/policy-programs.ts'
export { typeWarnings, type CheckedKind } from './admission/type-warnings.ts'
export { webhookCondition } from './admission/webhook-condition.ts'
export {
  celEnvironment,
  perCallLimit,
  type CelEnvironment,
  type Compilation,
  type EnvironmentOptions,
  type Evaluation,
  type Program,
} from './environment.ts'
export { checkRules } from './kubernetes/check-rules.ts'
export { jsonToValue, valueToJson } from './kubernetes/json-to-value.ts'
export {
  appliedObjectType,
  jsonPatchType,
  patchJson,
  patchTypes,
  typeNameProblems,
} from './kubernetes/patch-types.ts'
export { plainValue } from './kubernetes/schemaless-value.ts'
export { objectTypesIn, schemaType, sizeAt, type SchemaType } from './kubernetes/schema-type.ts'
export {
  validateRules,
  type RuleValidation,
  type RuleValidationOptions,
} from './kubernetes/validate-rules.ts'
export {
  authorizerType,
  authorizerValue,
  resourceCheckType,
  resourceCheckValue,
  type AuthorizationDecision,
  type AuthorizationRequest,
  type Authorizer,
} from './library/authorizer.ts'
export { jsonPatchFunctions } from './library/kubernetes-functions.ts'
export {
  celTypes,
  listType,
  mapType,
  objectType,
  optionalType,
  printType,
  sameType,
  type CelType,
} from './types/cel-type.ts'
export { CelMessage } from './values/cel-message.ts'
export { CelError, CelList, CelMap, type CelResult, type CelValue } from './values/cel-value.ts'
