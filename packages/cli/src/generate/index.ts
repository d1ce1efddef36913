/**
 * generate/: the manifests of a deployment, computed from the operators.
 *
 * `projectObjects` returns objects, which `deploy/` applies; `projectManifests` returns files,
 * which `setpoint generate` writes for kubectl or GitOps. Everything except `runGenerate` is pure.
 *
 * The same operators and settings give the same bytes. Permissions are derived only from what
 * operators declare. A file of the user is never overwritten.
 */
export { type ClusterObject, managedByLabel, ownLabels } from './cluster-object.ts'
export { checkDefinitionRules } from './check-definition-rules.ts'
export { crdName, crdObject, definitionsOf } from './definition-objects.ts'
export { runGenerate } from './run-generate.ts'
export { isSystemNamespace, podSelector } from './manager-objects.ts'
export { manifestFlags, manifestOptions } from './manifest-flags.ts'
export { imageParts, manifestSettings, type ManifestSettings } from './manifest-settings.ts'
export { operatorPermissions } from './operator-permissions.ts'
export { projectManifests } from './project-manifests.ts'
export {
  type ManifestSource,
  objectFiles,
  type ProjectObjects,
  projectObjects,
} from './project-objects.ts'
export { needsPrometheusOperator, PrometheusRule, ServiceMonitor } from './optional/index.ts'
export { toYaml } from './to-yaml.ts'
export { hasWebhooks, needsPods } from './webhook-address.ts'
