/**
 * webhooks/: what API servers call: the reviews of `.validate` and `.mutate`, the conversion of
 * definitions with several versions, and aggregated APIs.
 *
 * `start/` creates `Webhooks` and connects it with the process. `setpoint generate` writes the
 * objects that `admissionConfigurations` returns.
 *
 * The server listens before anything is registered, and serves on every replica. Its certificate is
 * registered before it is used.
 */
export {
  admissionConfigurations,
  type ConfigurationOptions,
  type WebhookConfiguration,
} from './admission-configurations.ts'
export {
  apiServiceObjects,
  type ApiServiceObject,
  localServiceHost,
} from './api-service-objects.ts'
export { conversionWebhook } from './conversion-review.ts'
export { removeRegistrations } from './remove-registrations.ts'
export { isLoopbackUrl, isOnSameMachine } from './same-machine.ts'
export type { WebhookAddress, WebhookClientConfig } from './webhook-address.ts'
export type { WebhooksOptions } from './webhook-options.ts'
export { webhookPermissions } from './webhook-permissions.ts'
export {
  hasApis,
  hasServedFunctions,
  hasWebhooks,
  Webhooks,
  webhooksNotServed,
} from './webhooks.ts'
