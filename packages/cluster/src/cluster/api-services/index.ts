/**
 * api-services/: the APIServices of a cluster, and what the servers of aggregated APIs need.
 *
 * The controller keeps an APIService for each version of custom resources, and the Available
 * condition of all of them. create-cluster.ts starts it.
 */
export { ApiServiceController } from './api-service-controller.ts'
export { publishAuthentication } from './authentication-config.ts'
export { remoteKinds } from './remote-kinds.ts'
