/** Short manifests for scenarios. Each scenario adds the fields that matter. */
import type { JsonObject } from 'setpoint/schema'

/** Changes to a pod template; the labels are `app=NAME` by default. */
interface TemplateOptions {
  readonly image?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly spec?: JsonObject
  readonly container?: JsonObject
}

/** A minimal pod template. */
export function podTemplate(name: string, options: TemplateOptions = {}): JsonObject {
  const { image = 'app:1', labels = { app: name }, spec = {}, container = {} } = options
  return {
    metadata: { labels: { ...labels } },
    spec: {
      automountServiceAccountToken: false,
      containers: [{ name: 'main', image, ...container }],
      ...spec,
    },
  }
}

/** A pod without a controller. */
export function pod(
  name: string,
  options: TemplateOptions & { metadata?: JsonObject } = {},
): JsonObject {
  const { metadata, spec } = podTemplate(name, options)
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...(metadata as JsonObject), name, ...options.metadata },
    spec: spec ?? {},
  }
}

const groups: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  ReplicaSet: 'apps/v1',
  StatefulSet: 'apps/v1',
  DaemonSet: 'apps/v1',
}

/** A workload whose pods are `app=NAME`. */
export function workload(
  kind: 'Deployment' | 'ReplicaSet' | 'StatefulSet' | 'DaemonSet',
  name: string,
  spec: JsonObject = {},
): JsonObject {
  return {
    apiVersion: groups[kind] ?? '',
    kind,
    metadata: { name, labels: { app: name } },
    spec: {
      ...(kind === 'StatefulSet' ? { serviceName: name } : {}),
      selector: { matchLabels: { app: name } },
      template: podTemplate(name),
      ...spec,
    },
  }
}

/** A Job whose pods are never restarted in place. */
export function job(name: string, spec: JsonObject = {}): JsonObject {
  const template = podTemplate(name, { spec: { restartPolicy: 'Never' } })
  return { apiVersion: 'batch/v1', kind: 'Job', metadata: { name }, spec: { template, ...spec } }
}

/** A service on port 80 for `app=NAME`. */
export function service(name: string, spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector: { app: name }, ports: [{ port: 80 }], ...spec },
  }
}

/** A patch that changes the image of a workload's pods. */
export function newImage(image: string): JsonObject {
  return { spec: { template: { spec: { containers: [{ name: 'main', image }] } } } }
}
