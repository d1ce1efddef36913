/**
 * bundle/: `setpoint bundle` writes a bundle for the Operator Lifecycle Manager, and a catalog.
 *
 * The ClusterServiceVersion is made from the objects of `generate/` and the definitions:
 * `cluster-service-version.ts` has its parts, `descriptors.ts` those of fields. What OLM cannot
 * express is refused. Everything except `runBundle` and `bundleSource` is pure.
 *
 * The same operators give the same bytes.
 */
export { bundleFiles } from './bundle-files.ts'
export { bundleSource } from './bundle-source.ts'
export { runBundle } from './run-bundle.ts'
