import type { AnyOperator } from 'setpoint'
import { Deployment, Namespace, Service } from 'setpoint/kinds'
import { clusterObject, type ClusterObject, ownLabels } from './cluster-object.ts'
import type { ManifestSettings } from './manifest-settings.ts'

const probesPort = 8081
const httpSourcesPort = 8082

/** Runs have 20 s to finish when the process is stopped, and the process 5 s more (`run`); a kill must come later. */
const terminationSeconds = 30

/** The user that distroless images call nonroot. */
const nonRootId = 65_532

/** The namespace of the operators, unless it is one that every cluster has: those are nobody's to label or delete. */
export function namespaceObject(settings: ManifestSettings): ClusterObject[] {
  const { namespace: name } = settings
  if (isEverybodys(name)) return []
  return [clusterObject(Namespace, { name, labels: ownLabels(settings) })]
}

/** Whether a namespace belongs to the cluster itself. */
export function isEverybodys(namespace: string): boolean {
  return namespace === 'default' || namespace.startsWith('kube-')
}

/** The pods that run the operators. */
export function deploymentObject(
  operators: readonly AnyOperator[],
  settings: ManifestSettings,
): ClusterObject {
  const { name, namespace, replicas } = settings
  const labels = ownLabels(settings)
  return clusterObject(Deployment, {
    name,
    namespace,
    labels,
    fields: {
      spec: {
        replicas,
        selector: { matchLabels: podSelector(settings) },
        template: {
          metadata: { labels: { ...labels, ...podSelector(settings) } },
          spec: {
            serviceAccountName: name,
            terminationGracePeriodSeconds: terminationSeconds,
            securityContext: {
              runAsNonRoot: true,
              runAsUser: nonRootId,
              runAsGroup: nonRootId,
              seccompProfile: { type: 'RuntimeDefault' },
            },
            containers: [container(settings, hasHttpSources(operators))],
          },
        },
      },
    },
  })
}

/** Which pods are the operators': children of theirs may be in the same namespace. */
export function podSelector({ name }: ManifestSettings): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': name, 'app.kubernetes.io/component': 'operator' }
}

function container(settings: ManifestSettings, isCalled: boolean): object {
  const { watch, image } = settings
  const env = [
    // Also with one replica: while a pod is replaced there are two.
    { name: 'LEADER_ELECTION', value: 'true' },
    ...(watch === undefined ? [] : [{ name: 'WATCH_NAMESPACES', value: watch.join(',') }]),
    ...(isCalled ? [{ name: 'HTTP_SOURCES_PORT', value: String(httpSourcesPort) }] : []),
  ]
  const probe = (path: string): object => ({ httpGet: { path, port: 'probes' } })
  return {
    name: 'operator',
    image,
    env,
    ports: [
      { name: 'probes', containerPort: probesPort },
      ...(isCalled ? [{ name: 'http-sources', containerPort: httpSourcesPort }] : []),
    ],
    livenessProbe: { ...probe('/healthz'), initialDelaySeconds: 15, periodSeconds: 20 },
    readinessProbe: { ...probe('/readyz'), initialDelaySeconds: 2, periodSeconds: 10 },
    resources: {
      requests: { cpu: '10m', memory: '128Mi' },
      limits: { cpu: '500m', memory: '512Mi' },
    },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
  }
}

/** The Services for metrics and for HTTP sources. */
export function services(
  operators: readonly AnyOperator[],
  settings: ManifestSettings,
): { readonly metrics: ClusterObject; readonly httpSources: ClusterObject | undefined } {
  const service = (name: string, port: object): ClusterObject =>
    clusterObject(Service, {
      name: `${settings.name}-${name}`,
      namespace: settings.namespace,
      labels: ownLabels(settings),
      fields: { spec: { selector: podSelector(settings), ports: [port] } },
    })
  const metrics = { name: 'metrics', port: probesPort, targetPort: 'probes' }
  const httpSources = { name: 'http-sources', port: 80, targetPort: 'http-sources' }
  return {
    metrics: service('metrics', metrics),
    httpSources: hasHttpSources(operators) ? service('http-sources', httpSources) : undefined,
  }
}

function hasHttpSources(operators: readonly AnyOperator[]): boolean {
  return operators.some(({ declaration }) => declaration.httpSources.length > 0)
}
