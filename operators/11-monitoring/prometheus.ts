import type { Desired } from 'setpoint'
import type { ConfigMap, Service, StatefulSet } from 'setpoint/kinds'
import type { Stack } from './monitoring-stack.ts'
import { endpointsOf, prometheusConfig, targetFile } from './prometheus-config.ts'
import { serve } from './script.ts'
import { type Selection, text } from './select.ts'
import { podTargets, serviceTargets, type TargetView } from './targets.ts'

export const prometheusPort = 9090

const mountPaths = {
  CONFIG: '/etc/prometheus/config',
  TARGETS: '/etc/prometheus/targets',
  RUN: '/run/prometheus',
  DATA: '/prometheus',
} as const

/** The name of the objects of Prometheus. */
export function prometheusName({ metadata }: Pick<Stack, 'metadata'>): string {
  return `${metadata.name}-prometheus`
}

export function labelsOf(stack: Stack, component: 'prometheus' | 'grafana') {
  return {
    'app.kubernetes.io/name': component,
    'app.kubernetes.io/instance': stack.metadata.name,
    'app.kubernetes.io/managed-by': 'monitoring-operator',
  }
}

export function prometheusFiles(stack: Stack, selection: Selection): Desired<typeof ConfigMap> {
  return {
    metadata: { name: prometheusName(stack), labels: labelsOf(stack, 'prometheus') },
    data: { 'prometheus.yml': text(prometheusConfig(stack, selection)), ...selection.rules },
  }
}

/** The files with the targets. Prometheus reads them again by itself, without a reload. */
export function targetFiles(
  stack: Stack,
  selection: Selection,
  view: TargetView,
): Desired<typeof ConfigMap> {
  const files = endpointsOf(selection).map((scraped) => {
    const { monitor, endpoint } = scraped
    const { port } = endpoint
    const groups =
      monitor.kind === 'ServiceMonitor'
        ? serviceTargets(stack, { monitor, port }, view)
        : podTargets(stack, { monitor, port }, view)
    return [targetFile(scraped), text(groups)] as const
  })
  const metadata = {
    name: `${prometheusName(stack)}-targets`,
    labels: labelsOf(stack, 'prometheus'),
  }
  return { metadata, data: Object.fromEntries(files) }
}

export function prometheusService(stack: Stack): Desired<typeof Service> {
  const labels = labelsOf(stack, 'prometheus')
  return {
    metadata: { name: prometheusName(stack), labels },
    spec: { selector: labels, ports: [{ name: 'web', port: prometheusPort }] },
  }
}

/** The headless Service that gives each replica a name. */
export function replicaService(stack: Stack): Desired<typeof Service> {
  const service = prometheusService(stack)
  return {
    metadata: { ...service.metadata, name: `${prometheusName(stack)}-replicas` },
    spec: { ...service.spec, clusterIP: 'None' },
  }
}

export function prometheusServer(stack: Stack): Desired<typeof StatefulSet> {
  const { spec } = stack
  const labels = labelsOf(stack, 'prometheus')
  const name = prometheusName(stack)
  const isReady = { httpGet: { path: '/-/ready', port: 'web' } }
  const server = {
    name: 'prometheus',
    image: `prom/prometheus:v${spec.version}`,
    command: ['/bin/sh', '-c', serve],
    env: [
      ...Object.entries(mountPaths).map(([variable, value]) => ({ name: variable, value })),
      { name: 'RETENTION', value: spec.retention },
      { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    ],
    ports: [{ name: 'web', containerPort: prometheusPort }],
    // A server with much data needs minutes to read it.
    startupProbe: { ...isReady, periodSeconds: 2, failureThreshold: 450 },
    readinessProbe: { ...isReady, periodSeconds: 5 },
    livenessProbe: {
      httpGet: { path: '/-/healthy', port: 'web' },
      periodSeconds: 10,
      failureThreshold: 6,
    },
    volumeMounts: Object.entries(mountPaths).map(([volume, mountPath]) => ({
      name: volume.toLowerCase(),
      mountPath,
    })),
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
  }
  return {
    metadata: { name, labels },
    spec: {
      serviceName: `${name}-replicas`,
      replicas: spec.replicas,
      podManagementPolicy: 'Parallel',
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          automountServiceAccountToken: false,
          terminationGracePeriodSeconds: 120,
          securityContext: { runAsNonRoot: true, runAsUser: 65_534, fsGroup: 65_534 },
          containers: [server],
          volumes: [
            { name: 'run', emptyDir: {} },
            { name: 'config', configMap: { name } },
            { name: 'targets', configMap: { name: `${name}-targets` } },
          ],
        },
      },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: {
            accessModes: ['ReadWriteOnce'],
            storageClassName: spec.storage.storageClassName,
            resources: { requests: { storage: spec.storage.size } },
          },
        },
      ],
    },
  }
}
