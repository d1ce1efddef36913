/**
 * outbound/: requests of the API server to other servers.
 *
 * admission/ calls webhooks with it, api/ converts objects and forwards requests to aggregated
 * APIs. A Service leads to the processes or to the simulated pods behind it. Failures have the texts
 * of a real server, because users search for them.
 */
export { callHandler } from './call-handler.ts'
export { OutboundError } from './outbound-error.ts'
export { OutboundCalls, type ClientConfig } from './outbound-calls.ts'
export { frontProxyName, ServiceProxy, type ProxyTarget } from './service-proxy.ts'
export { ServiceRoutes } from './service-routes.ts'
export { readReview, shownKind } from './webhook-review.ts'
