import type { ChildContext, Desired } from 'setpoint'
import type { ConfigMap, Deployment, Secret, Service } from 'setpoint/kinds'
import type { Stack } from './monitoring-stack.ts'
import { labelsOf, prometheusName, prometheusPort } from './prometheus.ts'
import { type Selection, text } from './select.ts'

const dashboardPath = '/var/lib/grafana-dashboards'

const passwordBytes = 24

/** The name of the objects of Grafana. */
export function grafanaName({ metadata }: Pick<Stack, 'metadata'>): string {
  return `${metadata.name}-grafana`
}

/** Whether the stack has a Grafana. */
export function hasGrafana({ spec }: Stack): boolean {
  return spec.grafana !== undefined
}

/** The administrator of Grafana: a random password, created once. */
export function grafanaAdmin(
  stack: Stack,
  { randomBytes }: Pick<ChildContext, 'randomBytes'>,
): Desired<typeof Secret> {
  return {
    metadata: { name: `${grafanaName(stack)}-admin`, labels: labelsOf(stack, 'grafana') },
    type: 'kubernetes.io/basic-auth',
    stringData: {
      username: 'admin',
      password: Buffer.from(randomBytes(passwordBytes)).toString('base64url'),
    },
  }
}

/** The files that Grafana reads at its start: its data source, and where dashboards are. */
export function provisioning(stack: Stack): Desired<typeof ConfigMap> {
  const { namespace } = stack.metadata
  const url = `http://${prometheusName(stack)}.${namespace}.svc:${prometheusPort}`
  return {
    metadata: { name: `${grafanaName(stack)}-provisioning`, labels: labelsOf(stack, 'grafana') },
    data: {
      'datasources.yaml': text({
        apiVersion: 1,
        prune: true,
        datasources: [
          {
            name: 'Prometheus',
            type: 'prometheus',
            uid: 'prometheus',
            access: 'proxy',
            url,
            isDefault: true,
            editable: false,
            jsonData: { timeInterval: stack.spec.scrapeInterval },
          },
        ],
      }),
      'dashboards.yaml': text({
        apiVersion: 1,
        providers: [
          {
            name: 'kubernetes',
            type: 'file',
            allowUiUpdates: false,
            updateIntervalSeconds: 30,
            options: { path: dashboardPath },
          },
        ],
      }),
    },
  }
}

/** All dashboards. Grafana reads changed files itself. */
export function dashboards(stack: Stack, selection: Selection): Desired<typeof ConfigMap> {
  return {
    metadata: { name: `${grafanaName(stack)}-dashboards`, labels: labelsOf(stack, 'grafana') },
    data: selection.dashboards,
  }
}

export function grafanaService(stack: Stack): Desired<typeof Service> {
  const labels = labelsOf(stack, 'grafana')
  return {
    metadata: { name: grafanaName(stack), labels },
    spec: { selector: labels, ports: [{ name: 'web', port: 80, targetPort: 'web' }] },
  }
}

export function grafanaServer(
  stack: Stack,
  annotations: Readonly<Record<string, string>>,
): Desired<typeof Deployment> {
  const labels = labelsOf(stack, 'grafana')
  const name = grafanaName(stack)
  const secret = { name: `${name}-admin` }
  const items = ['datasources', 'dashboards'].map((part) => ({
    key: `${part}.yaml`,
    path: `${part}/${part}.yaml`,
  }))
  const server = {
    name: 'grafana',
    image: `grafana/grafana:${stack.spec.grafana?.version ?? ''}`,
    env: [
      {
        name: 'GF_SECURITY_ADMIN_USER',
        valueFrom: { secretKeyRef: { ...secret, key: 'username' } },
      },
      { name: 'GF_SECURITY_ADMIN_PASSWORD__FILE', value: '/etc/grafana/admin/password' },
      { name: 'GF_PATHS_PROVISIONING', value: '/etc/grafana/provisioning' },
      { name: 'GF_ANALYTICS_REPORTING_ENABLED', value: 'false' },
    ],
    ports: [{ name: 'web', containerPort: 3000 }],
    readinessProbe: { httpGet: { path: '/api/health', port: 'web' }, periodSeconds: 5 },
    volumeMounts: [
      { name: 'admin', mountPath: '/etc/grafana/admin', readOnly: true },
      { name: 'provisioning', mountPath: '/etc/grafana/provisioning', readOnly: true },
      { name: 'dashboards', mountPath: dashboardPath, readOnly: true },
      { name: 'data', mountPath: '/var/lib/grafana' },
    ],
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
  }
  return {
    metadata: { name, labels },
    spec: {
      // Users and own dashboards are in a file of the pod.
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations },
        spec: {
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, runAsUser: 472, fsGroup: 472 },
          containers: [server],
          volumes: [
            { name: 'admin', secret: { secretName: secret.name } },
            { name: 'provisioning', configMap: { name: `${name}-provisioning`, items } },
            { name: 'dashboards', configMap: { name: `${name}-dashboards` } },
            { name: 'data', emptyDir: {} },
          ],
        },
      },
    },
  }
}
