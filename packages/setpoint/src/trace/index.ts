/**
 * trace/: OpenTelemetry spans, when the program has installed an SDK.
 *
 * `inSpan` runs a function in a span; the controller calls it for every reconcile, the transport
 * calls `inRequestSpan` for every request. The program chooses exporter and sampler: only the API
 * package is used here.
 *
 * Without an SDK nothing is created or computed. The context of a reconcile reaches its requests.
 * Tracing never changes what a function returns or throws.
 */
export { inSpan, isInSpan, outsideSpans, type ActiveSpan } from './in-span.ts'
export { inRequestSpan } from './request-span.ts'
