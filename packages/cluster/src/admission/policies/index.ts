/**
 * policies/: ValidatingAdmissionPolicies and MutatingAdmissionPolicies: which writes a policy and
 * its binding are about, the parameters of a binding, and the evaluation of the expressions.
 */
export type { FindParamKind } from './policy-params.ts'
export { mutatingPolicies } from './mutating-policies.ts'
export { validatingPolicies } from './validating-policies.ts'
