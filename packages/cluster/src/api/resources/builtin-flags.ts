/**
 * Differences between built-in resources that no schema describes. Each set was measured on a real
 * server, resource by resource (`resource` or `resource.group`).
 */

/** A PUT must have a resourceVersion. */
export const conditionalUpdateOnly: ReadonlySet<string> = new Set([
  'apiservices.apiregistration.k8s.io',
  'csidrivers.storage.k8s.io',
  'csinodes.storage.k8s.io',
  'csistoragecapacities.storage.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
  'leases.coordination.k8s.io',
  'mutatingadmissionpolicies.admissionregistration.k8s.io',
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'poddisruptionbudgets.policy',
  'runtimeclasses.node.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
  'volumeattachments.storage.k8s.io',
])

/** A PUT to a name that does not exist creates the object. */
export const createdByUpdate: ReadonlySet<string> = new Set([
  'clusterrolebindings.rbac.authorization.k8s.io',
  'clusterroles.rbac.authorization.k8s.io',
  'endpoints',
  'events',
  'events.events.k8s.io',
  'leases.coordination.k8s.io',
  'limitranges',
  'rolebindings.rbac.authorization.k8s.io',
  'roles.rbac.authorization.k8s.io',
  'runtimeclasses.node.k8s.io',
  'services',
])

/** A DELETE answers with the object rather than with a Status. */
export const returnedWhenDeleted: ReadonlySet<string> = new Set([
  'csidrivers.storage.k8s.io',
  'csinodes.storage.k8s.io',
  'deviceclasses.resource.k8s.io',
  'namespaces',
  'persistentvolumeclaims',
  'persistentvolumes',
  'pods',
  'podtemplates',
  'resourceclaims.resource.k8s.io',
  'resourceclaimtemplates.resource.k8s.io',
  'resourcequotas',
  'resourceslices.resource.k8s.io',
  'serviceaccounts',
  'services',
  'servicecidrs.networking.k8s.io',
  'storageclasses.storage.k8s.io',
  'volumeattachments.storage.k8s.io',
  'volumeattributesclasses.storage.k8s.io',
])

/** Dependents are orphaned unless the client chooses another propagation policy. */
export const orphansByDefault: ReadonlySet<string> = new Set([
  'jobs.batch',
  'replicationcontrollers',
])

/** Key prefixes in etcd that differ from the resource's name; a few messages show them. */
export const registryPrefixes: Readonly<Record<string, string>> = {
  endpoints: '/registry/services/endpoints',
  'ingresses.networking.k8s.io': '/registry/ingress',
  nodes: '/registry/minions',
  services: '/registry/services/specs',
  replicationcontrollers: '/registry/controllers',
}
