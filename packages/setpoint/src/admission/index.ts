/**
 * admission/: reviews of requests by the author's functions. Pure, except that a review has a
 * deadline.
 *
 * `operator/` declares `.validate` and `.mutate` with it. `webhooks/` serves them: it reads reviews,
 * calls `reviewObject`, and registers what `admissionConfigurations` returns.
 *
 * Every review gets a response before the deadline of the API server, whatever the author's function
 * does. A mutation cannot change what identifies an object.
 */
export type { AdmissionContext, Awaitable } from './admission-context.ts'
export { admissionPath, webhookName, type AdmissionDeclaration } from './admission-declaration.ts'
export type { AdmissionOperation, MutateOptions, ValidateOptions } from './admission-options.ts'
export {
  readAdmissionReview,
  reviewOf,
  type AdmissionRequest,
  type AdmissionUser,
} from './admission-review.ts'
export { problem, type Problem, type ProblemType } from './field-problem.ts'
export { reviewObject, ReviewFailed } from './review-object.ts'
