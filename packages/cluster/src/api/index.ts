/**
 * api/: the Kubernetes REST API over a store.
 *
 * `apiHandler` is the whole server as one HTTP handler: authentication, authorization, routing, the
 * verbs, watches, discovery and OpenAPI. http/ reads requests and writes answers. options/ and
 * select/ parse the query. resources/ has the kinds and their differences. verbs/ has one file per
 * verb, for all kinds. subresources/ has those of pods and service accounts. reviews/ and services/
 * have behaviour of these kinds. aggregation/ passes requests on to other servers. The answers are those of a real kube-apiserver 1.36;
 * docs/reference/fidelity.md lists the differences.
 */
export { Aggregation } from './aggregation/aggregation.ts'
export {
  apiServicesBucket,
  managedLabel,
  type RemoteApiService,
} from './aggregation/api-services.ts'
export type { ApiServer, Commit } from './api-request.ts'
export { conditionsOf, setCondition } from './resources/definitions/definition-conditions.ts'
export { Definitions, definitionsBucket } from './resources/definitions/definitions.ts'
export type { ServedResource } from './resources/served-resource.ts'
export { Registry } from './resources/registry.ts'
export { conversionProblem, isUnconverted, storedVersion } from './conversion/stored-forms.ts'
export { readConverted, readObject, readStored, storedText } from './object-text.ts'
export { cleanupFinalizer } from './resources/definitions/deletion-hold.ts'
export { unknownMethodResponse } from './http/unknown-method.ts'
export { apiHandler, type TracedRequest } from './server.ts'
export { AdmissionMetrics } from './metrics/admission-metrics.ts'
export { MetricSeries } from './metrics/metric-series.ts'
export { ServerMetrics } from './metrics/server-metrics.ts'
export { FlowSchemas } from './flow/flow-schemas.ts'
export { beginDeletion } from './verbs/deletion.ts'
export { writeOwnStatus } from './verbs/own-status.ts'
export { ServiceAddresses } from './services/service-addresses.ts'
