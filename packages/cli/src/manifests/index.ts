/**
 * manifests/: what has to be in a cluster for operators to work there, made from the operators.
 *
 * `projectObjects` gives it as objects, which `deploy/` applies; `projectManifests` as files, which `setpoint
 * generate` writes and people apply with kubectl or GitOps. Everything but `runGenerate` is pure.
 *
 * It promises the same bytes for the same operators and settings, rights no wider than what operators declared, and
 * never to overwrite what a person wrote.
 */
export { type ClusterObject, managedByLabel, ownLabels } from './cluster-object.ts'
export { crdName, crdObject, definitionsOf } from './definition-objects.ts'
export { runGenerate } from './run-generate.ts'
export { isEverybodys, podSelector } from './manager-objects.ts'
export { manifestFlags, manifestOptions } from './manifest-flags.ts'
export { manifestSettings, type ManifestSettings } from './manifest-settings.ts'
export { operatorRights } from './operator-rights.ts'
export { projectManifests } from './project-manifests.ts'
export { type ProjectObjects, projectObjects } from './project-objects.ts'
