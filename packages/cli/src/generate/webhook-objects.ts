import {
  admissionConfigurations,
  type AnyOperator,
  apiServiceObjects,
  policyObjects,
  webhookPermissions,
} from 'setpoint'
import {
  APIService,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  RoleBinding,
  Secret,
  Service,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from 'setpoint/kinds'
import { clusterObject, type ClusterObject, ownLabels } from './cluster-object.ts'
import { podSelector } from './manager-objects.ts'
import type { ManifestSettings } from './manifest-settings.ts'
import { boundRole } from './rbac-objects.ts'
import { webhookAddress } from './webhook-address.ts'

/** The Service, and the Secret for its certificate. */
export function webhookWorkload(settings: ManifestSettings): {
  readonly service: ClusterObject
  readonly secret: ClusterObject
} {
  const { service } = webhookAddress(settings)
  const labels = ownLabels(settings)
  const selector = podSelector(settings)
  return {
    service: clusterObject(Service, {
      ...service,
      labels,
      fields: {
        spec: { selector, ports: [{ name: 'webhooks', port: 443, targetPort: 'webhooks' }] },
      },
    }),
    // Empty: the operators fill it, and their Role cannot create Secrets.
    secret: clusterObject(Secret, {
      name: `${service.name}-tls`,
      namespace: service.namespace,
      labels,
      fields: { type: 'Opaque' },
    }),
  }
}

/** The configurations of the admission webhooks. The running operators add their CA bundle. */
export function webhookConfigurations(
  operators: readonly AnyOperator[],
  settings: ManifestSettings,
): ClusterObject[] {
  const options = { address: webhookAddress(settings), namespaces: settings.watch }
  const kinds = { MutatingWebhookConfiguration, ValidatingWebhookConfiguration }
  return admissionConfigurations(operators, options).map(({ kind, metadata: { name }, webhooks }) =>
    clusterObject(kinds[kind], { name, labels: ownLabels(settings), fields: { webhooks } }),
  )
}

const policyKinds = {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} as const

/** The admission policies, each with its binding. They need no pods. */
export function policies(
  operators: readonly AnyOperator[],
  settings: ManifestSettings,
): ClusterObject[] {
  const { name, namespace, watch } = settings
  const options = { deployment: { name, namespace }, namespaces: watch }
  const labels = ownLabels(settings)
  return policyObjects(operators, options).map(({ kind, metadata, spec }) =>
    clusterObject(policyKinds[kind], { name: metadata.name, labels, fields: { spec } }),
  )
}

/** The permissions to keep the certificate and its CA bundles. */
export function webhookRoles(
  operators: readonly AnyOperator[],
  settings: ManifestSettings,
): ClusterObject[] {
  const permissions = webhookPermissions(operators, webhookAddress(settings))
  const { everywhere, within, inKubeSystem } = permissions
  const { name, namespace, sharedName } = settings
  return [
    ...(inKubeSystem.length === 0 ? [] : [authenticationBinding(settings)]),
    ...boundRole(settings, { name: `${sharedName}-webhooks`, rules: everywhere }),
    ...boundRole(settings, { name: `${name}-webhooks`, namespace, rules: within }),
  ]
}

/** The APIServices of aggregated APIs. The running operators add their CA bundle. */
export function apiServices(
  operators: readonly AnyOperator[],
  settings: ManifestSettings,
): ClusterObject[] {
  const objects = apiServiceObjects(operators, { address: webhookAddress(settings) })
  return objects.map(({ metadata: { name }, spec }) =>
    clusterObject(APIService, { name, labels: ownLabels(settings), fields: { spec } }),
  )
}

/** Allows to read how API servers authenticate themselves, by a Role that every cluster has. */
function authenticationBinding(settings: ManifestSettings): ClusterObject {
  const { name, namespace, sharedName } = settings
  return clusterObject(RoleBinding, {
    name: `${sharedName}-authentication-reader`,
    namespace: 'kube-system',
    labels: ownLabels(settings),
    fields: {
      roleRef: {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'Role',
        name: 'extension-apiserver-authentication-reader',
      },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    },
  })
}
