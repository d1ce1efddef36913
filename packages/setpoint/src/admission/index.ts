/**
 * admission/: reviews of requests by the author's functions. Pure, except that a review has a
 * deadline.
 *
 * `operator/` declares `.validate`, `.mutate` and `.policy` with it. `webhooks/` serves the first two:
 * it reads reviews, calls `reviewObject`, and registers what `admissionConfigurations` returns.
 * `policies/` makes the objects of policies.
 *
 * Every review gets a response before the deadline of the API server, whatever the author's function
 * does. A mutation cannot change what identifies an object.
 */
export type { AdmissionCaller, AdmissionContext, Awaitable } from './admission-context.ts'
export { admissionPath, webhookName, type AdmissionDeclaration } from './admission-declaration.ts'
export type { AdmissionOperation, MutateOptions, ValidateOptions } from './admission-options.ts'
export {
  readAdmissionReview,
  reviewOf,
  type AdmissionRequest,
  type AdmissionUser,
} from './admission-review.ts'
export { validationOf } from './declare-policy.ts'
export { problem, type Problem, type ProblemType } from './field-problem.ts'
export type { PolicyDeclaration } from './policy-declaration.ts'
export type {
  MutatingPolicyOptions,
  PolicyMutation,
  PolicyOptions,
  PolicyParams,
  PolicyValidation,
  ValidatingPolicyOptions,
} from './policy-options.ts'
export { reviewedNamespaces } from './reviewed-namespaces.ts'
export { reviewObject, ReviewFailed } from './review-object.ts'
