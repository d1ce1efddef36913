/** Where a kind is served. */
interface ServedKind {
  readonly apiVersion: string
  readonly plural: string
  readonly isNamespaced: boolean
}

const namespaced: Readonly<Record<string, readonly [plural: string, ...kinds: string[]][]>> = {
  v1: [
    ['configmaps', 'ConfigMap'],
    ['endpoints', 'Endpoints'],
    ['events', 'Event'],
    ['persistentvolumeclaims', 'PersistentVolumeClaim'],
    ['pods', 'Pod'],
    ['replicationcontrollers', 'ReplicationController'],
    ['resourcequotas', 'ResourceQuota'],
    ['secrets', 'Secret'],
    ['serviceaccounts', 'ServiceAccount'],
    ['services', 'Service'],
  ],
  'apps/v1': [
    ['controllerrevisions', 'ControllerRevision'],
    ['daemonsets', 'DaemonSet'],
    ['deployments', 'Deployment'],
    ['replicasets', 'ReplicaSet'],
    ['statefulsets', 'StatefulSet'],
  ],
  'autoscaling/v2': [['horizontalpodautoscalers', 'HorizontalPodAutoscaler']],
  'batch/v1': [
    ['cronjobs', 'CronJob'],
    ['jobs', 'Job'],
  ],
  'discovery.k8s.io/v1': [['endpointslices', 'EndpointSlice']],
  'policy/v1': [['poddisruptionbudgets', 'PodDisruptionBudget']],
}

const clusterScoped: typeof namespaced = {
  v1: [
    ['namespaces', 'Namespace'],
    ['nodes', 'Node'],
    ['persistentvolumes', 'PersistentVolume'],
  ],
  'admissionregistration.k8s.io/v1': [['validatingadmissionpolicies', 'ValidatingAdmissionPolicy']],
  'certificates.k8s.io/v1': [['certificatesigningrequests', 'CertificateSigningRequest']],
  'rbac.authorization.k8s.io/v1': [['clusterroles', 'ClusterRole']],
  'storage.k8s.io/v1': [['storageclasses', 'StorageClass']],
}

/** Every kind by its name. */
export const servedKinds: ReadonlyMap<string, ServedKind> = new Map(
  [namespaced, clusterScoped].flatMap((table) =>
    Object.entries(table).flatMap(([apiVersion, rows]) =>
      rows.map(([plural, kind = '']): [string, ServedKind] => [
        kind,
        { apiVersion, plural, isNamespaced: table === namespaced },
      ]),
    ),
  ),
)

/** The path of a collection; without a namespace, of all namespaces. */
export function collectionPath(kind: string, namespace?: string): string {
  const served = servedKinds.get(kind)
  if (served === undefined) throw new Error(`test/workloads/kinds.ts does not know ${kind}`)
  const { apiVersion, plural, isNamespaced } = served
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  const within = isNamespaced && namespace !== undefined ? `/namespaces/${namespace}` : ''
  return `${root}${within}/${plural}`
}
