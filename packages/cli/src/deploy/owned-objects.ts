import type { Kind } from 'setpoint'
import { type Client, isApiError } from 'setpoint/client'
import {
  APIService,
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  Deployment,
  metadataOf,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  NetworkPolicy,
  PodDisruptionBudget,
  Role,
  RoleBinding,
  Secret,
  Service,
  ServiceAccount,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from 'setpoint/kinds'
import {
  type ClusterObject,
  type ManifestSettings,
  ownLabels,
  PrometheusRule,
  ServiceMonitor,
} from '../generate/index.ts'

/**
 * In the order of deletion: nothing calls the webhooks when the pods stop, and the pods stop before
 * their permissions are removed.
 */
const deployedKinds: readonly Kind[] = [
  ValidatingAdmissionPolicyBinding,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  MutatingAdmissionPolicy,
  ValidatingWebhookConfiguration,
  MutatingWebhookConfiguration,
  APIService,
  ServiceMonitor,
  PrometheusRule,
  Deployment,
  PodDisruptionBudget,
  Service,
  NetworkPolicy,
  ConfigMap,
  Secret,
  RoleBinding,
  ClusterRoleBinding,
  Role,
  ClusterRole,
  ServiceAccount,
]

/** The objects that a deployment of the project created, found by its labels. */
export async function ownedObjects(
  client: Client,
  settings: ManifestSettings,
): Promise<ClusterObject[]> {
  const labelSelector = ownLabels(settings)
  const found = await Promise.all(
    deployedKinds.map(async (kind) => {
      const objects = await foundObjects(client, kind, labelSelector)
      return objects.map(({ metadata: { name, namespace, labels = {} } }): ClusterObject => ({
        kind,
        manifest: {
          apiVersion: kind.apiVersion,
          kind: kind.kind,
          metadata: { name, ...(namespace === undefined ? {} : { namespace }), labels },
        },
      }))
    }),
  )
  return found.flat()
}

/**
 * Servers before 1.36 do not serve all of these kinds, and a cluster without the Prometheus Operator
 * does not serve its kinds.
 */
async function foundObjects(
  client: Client,
  kind: Kind,
  labelSelector: Readonly<Record<string, string>>,
): Promise<Found[]> {
  try {
    return (await client.listAll(metadataOf(kind), { labelSelector })) as Found[]
  } catch (error) {
    if (isApiError(error, 'API_NOT_FOUND')) return []
    throw error
  }
}

interface Found {
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
  }
}

/** The objects that are not desired any more, such as roles of an earlier deployment. */
export function leftovers(
  owned: readonly ClusterObject[],
  desired: readonly ClusterObject[],
): ClusterObject[] {
  const names = new Set(desired.map(nameOf))
  return owned.filter((object) => !names.has(nameOf(object)))
}

function nameOf({ manifest: { apiVersion, kind, metadata } }: ClusterObject): string {
  return JSON.stringify([apiVersion, kind, metadata.namespace ?? '', metadata.name])
}
