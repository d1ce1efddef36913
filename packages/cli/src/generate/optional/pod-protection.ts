import type { AnyOperator } from 'setpoint'
import { NetworkPolicy, PodDisruptionBudget } from 'setpoint/kinds'
import { clusterObject, type ClusterObject, ownLabels } from '../cluster-object.ts'
import { podPorts, podSelector } from '../manager-objects.ts'
import type { ManifestSettings } from '../manifest-settings.ts'

/**
 * The NetworkPolicy of the pods: only their ports can be reached. API servers and the kubelet are
 * outside of the pod network, so their addresses cannot be named.
 */
export function networkPolicy(
  operators: readonly AnyOperator[],
  settings: ManifestSettings,
  name: string,
): ClusterObject {
  return clusterObject(NetworkPolicy, {
    name,
    namespace: settings.namespace,
    labels: ownLabels(settings),
    fields: {
      spec: {
        podSelector: { matchLabels: podSelector(settings) },
        policyTypes: ['Ingress'],
        ingress: [{ ports: podPorts(operators).map((port) => ({ port: port.name })) }],
      },
    },
  })
}

/**
 * Lets a drained node evict one pod at a time, so that a standby takes over. None for one replica:
 * it would either be useless or block drains.
 */
export function disruptionBudget(settings: ManifestSettings): ClusterObject[] {
  const { name, namespace, replicas } = settings
  if (!settings.disruptionBudget || replicas < 2) return []
  return [
    clusterObject(PodDisruptionBudget, {
      name,
      namespace,
      labels: ownLabels(settings),
      fields: {
        spec: { maxUnavailable: 1, selector: { matchLabels: podSelector(settings) } },
      },
    }),
  ]
}
