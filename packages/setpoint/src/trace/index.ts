/**
 * trace/: spans of OpenTelemetry, when a program has installed an SDK.
 *
 * `inSpan` does work in a span; the controller calls it for every run, the transport calls `inRequestSpan` for every
 * request. Which exporter and sampler there are is the program's business: only the API package is used here.
 *
 * It promises that without an SDK nothing is made or computed, that the context of a run reaches the requests made in
 * it, and that tracing never changes what work returns or throws.
 */
export { inSpan, isInSpan, outsideSpans, type ActiveSpan } from './in-span.ts'
export { inRequestSpan } from './request-span.ts'
