/**
 * webhooks/: admission webhooks.
 *
 * Which writes a webhook is called for (`invocation.ts`), the protocol (`admission-review.ts`), and
 * the two plugins. The server calls mutating webhooks in order, some of them twice, and validating
 * ones at the same time.
 */
export { mutatingWebhooks } from './mutating-webhooks.ts'
export { validatingWebhooks } from './validating-webhooks.ts'
