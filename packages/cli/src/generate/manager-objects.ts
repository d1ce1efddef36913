import type { AnyOperator } from 'setpoint'
import { Deployment, Namespace, Service } from 'setpoint/kinds'
import { clusterObject, type ClusterObject, ownLabels } from './cluster-object.ts'
import type { ManifestSettings } from './manifest-settings.ts'
import { hasWebhooks, webhookAddress, webhooksPort } from './webhook-address.ts'

const probesPort = 8081
const httpSourcesPort = 8082

/**
 * Longer than the 20 s in which reconciles finish and the 5 s more in which `run` ends the process.
 */
const terminationSeconds = 30

/** The user `nonroot` of distroless images. */
const nonRootId = 65_532

/**
 * The namespace of the operators; none for system namespaces, which must not be labelled or
 * deleted.
 */
export function namespaceObject(settings: ManifestSettings): ClusterObject[] {
  const { namespace: name } = settings
  if (isSystemNamespace(name)) return []
  return [clusterObject(Namespace, { name, labels: ownLabels(settings) })]
}

/** Whether every cluster has this namespace. */
export function isSystemNamespace(namespace: string): boolean {
  return namespace === 'default' || namespace.startsWith('kube-')
}

/** The Deployment of the operators. */
export function deploymentObject(
  operators: readonly AnyOperator[],
  settings: ManifestSettings,
): ClusterObject {
  const { name, namespace, replicas, workload } = settings
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
          metadata: {
            labels: { ...workload.podLabels, ...labels, ...podSelector(settings) },
            ...(workload.podAnnotations === undefined
              ? {}
              : { annotations: workload.podAnnotations }),
          },
          spec: {
            serviceAccountName: name,
            terminationGracePeriodSeconds: terminationSeconds,
            ...workload.pod,
            securityContext: {
              runAsNonRoot: true,
              runAsUser: nonRootId,
              runAsGroup: nonRootId,
              seccompProfile: { type: 'RuntimeDefault' },
            },
            containers: [container(settings, operators)],
          },
        },
      },
    },
  })
}

/** Selects the pods of the operators; pods of their children may be in the same namespace. */
export function podSelector({ name }: ManifestSettings): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': name, 'app.kubernetes.io/component': 'operator' }
}

function container(settings: ManifestSettings, operators: readonly AnyOperator[]): object {
  const { watch, image, workload } = settings
  const hasSources = hasHttpSources(operators)
  const isCalled = hasWebhooks(operators)
  const { service } = webhookAddress(settings)
  const env = [
    // Also with one replica: during a rollout there are two pods.
    { name: 'LEADER_ELECTION', value: 'true' },
    ...(watch === undefined ? [] : [{ name: 'WATCH_NAMESPACES', value: watch.join(',') }]),
    ...(hasSources ? [{ name: 'HTTP_SOURCES_PORT', value: String(httpSourcesPort) }] : []),
    ...(isCalled
      ? [{ name: 'WEBHOOKS_SERVICE', value: `${service.namespace}/${service.name}` }]
      : []),
    ...Object.entries(workload.env ?? {}).map(([name, value]) =>
      typeof value === 'string' ? { name, value } : { name, valueFrom: value },
    ),
  ]
  const probe = (path: string): object => ({ httpGet: { path, port: 'probes' } })
  return {
    name: 'operator',
    image,
    env,
    ...(workload.envFrom === undefined ? {} : { envFrom: workload.envFrom }),
    ports: podPorts(operators),
    livenessProbe: { ...probe('/healthz'), initialDelaySeconds: 15, periodSeconds: 20 },
    readinessProbe: { ...probe('/readyz'), initialDelaySeconds: 2, periodSeconds: 10 },
    resources: {
      requests: amounts({ cpu: '10m', memory: '128Mi' }, workload.resources?.requests),
      limits: amounts({ cpu: '500m', memory: '512Mi' }, workload.resources?.limits),
    },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    ...(workload.volumeMounts === undefined ? {} : { volumeMounts: workload.volumeMounts }),
  }
}

/** The ports of the container, by name. */
export function podPorts(
  operators: readonly AnyOperator[],
): readonly { readonly name: string; readonly containerPort: number }[] {
  return [
    { name: 'probes', containerPort: probesPort },
    ...(hasHttpSources(operators)
      ? [{ name: 'http-sources', containerPort: httpSourcesPort }]
      : []),
    ...(hasWebhooks(operators) ? [{ name: 'webhooks', containerPort: webhooksPort }] : []),
  ]
}

/** Default amounts with those of the project; `null` removes one. */
function amounts(
  defaults: Readonly<Record<string, string>>,
  own: Readonly<Record<string, string | null>> = {},
): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ ...defaults, ...own }).flatMap(([name, amount]) =>
      amount === null ? [] : [[name, amount]],
    ),
  )
}

/** Distinguishes the Service of metrics from the other Services of a deployment. */
export const metricsComponent = { 'app.kubernetes.io/component': 'metrics' }

/** The Services for metrics and for HTTP sources. */
export function services(
  operators: readonly AnyOperator[],
  settings: ManifestSettings,
): { readonly metrics: ClusterObject; readonly httpSources: ClusterObject | undefined } {
  const service = (name: string, port: object, labels: object = {}): ClusterObject =>
    clusterObject(Service, {
      name: `${settings.name}-${name}`,
      namespace: settings.namespace,
      labels: { ...ownLabels(settings), ...labels },
      fields: { spec: { selector: podSelector(settings), ports: [port] } },
    })
  const metrics = { name: 'metrics', port: probesPort, targetPort: 'probes' }
  const httpSources = { name: 'http-sources', port: 80, targetPort: 'http-sources' }
  return {
    metrics: service('metrics', metrics, metricsComponent),
    httpSources: hasHttpSources(operators) ? service('http-sources', httpSources) : undefined,
  }
}

function hasHttpSources(operators: readonly AnyOperator[]): boolean {
  return operators.some(({ declaration }) => declaration.httpSources.length > 0)
}
