import { kindName } from '../kinds/kind-name.ts'
import type { AnyOperator, PolicyRule } from '../operator/index.ts'
import { admissionConfigurations } from './admission-configurations.ts'
import { apiServiceObjects } from './api-service-objects.ts'
import { secretName, type WebhookAddress } from './webhook-address.ts'
import { convertedDefinitions } from './webhook-routes.ts'

/** The permissions that the webhooks of a process need, besides those of its operators. */
interface WebhookPermissions {
  /** Cluster-wide: the objects that register them. */
  readonly everywhere: readonly PolicyRule[]
  /** In the namespace of the Service: the Secret with the certificate. */
  readonly within: readonly PolicyRule[]
  /**
   * In kube-system: how API servers authenticate themselves, for aggregated APIs. The Role
   * `extension-apiserver-authentication-reader` of every cluster allows it.
   */
  readonly inKubeSystem: readonly PolicyRule[]
}

/**
 * The permissions of a process to keep its certificate and its CA bundles, all by name. It cannot
 * create the objects: the generated manifests contain them.
 */
export function webhookPermissions(
  operators: readonly AnyOperator[],
  address: WebhookAddress,
): WebhookPermissions {
  const configurations = admissionConfigurations(operators, { address })
  const definitions = convertedDefinitions(operators).map((one) => kindName(one))
  const apiServices = apiServiceObjects(operators, { address }).map(({ metadata }) => metadata.name)
  if (configurations.length + definitions.length + apiServices.length === 0) {
    return { everywhere: [], within: [], inKubeSystem: [] }
  }
  return {
    everywhere: [
      ...configurations.map(({ kind, metadata: { name } }) => ({
        apiGroups: ['admissionregistration.k8s.io'],
        resources: [`${kind.toLowerCase()}s`],
        resourceNames: [name],
        verbs: ['get', 'patch'],
      })),
      ...(definitions.length === 0
        ? []
        : [
            {
              apiGroups: ['apiextensions.k8s.io'],
              resources: ['customresourcedefinitions'],
              resourceNames: [...definitions].sort(),
              verbs: ['get', 'patch'],
            },
          ]),
      ...(apiServices.length === 0 ? [] : apiServiceRules(apiServices)),
    ],
    within:
      'service' in address
        ? [
            {
              apiGroups: [''],
              resources: ['secrets'],
              resourceNames: [secretName(address.service.name)],
              verbs: ['get', 'patch', 'update'],
            },
          ]
        : [],
    inKubeSystem:
      apiServices.length === 0
        ? []
        : [
            {
              apiGroups: [''],
              resources: ['configmaps'],
              resourceNames: ['extension-apiserver-authentication'],
              verbs: ['get'],
            },
          ],
  }
}

/** To keep the CA bundles of APIServices, and to ask whether users may do what they request. */
function apiServiceRules(names: readonly string[]): PolicyRule[] {
  return [
    {
      apiGroups: ['apiregistration.k8s.io'],
      resources: ['apiservices'],
      resourceNames: [...names].sort(),
      verbs: ['get', 'patch'],
    },
    {
      apiGroups: ['authorization.k8s.io'],
      resources: ['subjectaccessreviews'],
      verbs: ['create'],
    },
  ]
}
