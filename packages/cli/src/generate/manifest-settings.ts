import { CommandError, exitCodes } from '../command/index.ts'
import type { MonitoringSettings, Project } from '../project/index.ts'

/** Options of a call, which override the project's settings. */
export interface ManifestOptions {
  readonly image?: string | undefined
  readonly namespace?: string | undefined
  readonly replicas?: number | undefined
  readonly monitoring?: boolean | undefined
  readonly networkPolicy?: boolean | undefined
  readonly disruptionBudget?: boolean | undefined
}

/** The settings of the manifests of a project. */
export interface ManifestSettings {
  /** The name of the operators' objects. */
  readonly name: string
  /** The name of cluster-scoped objects, unique for each deployment of the project. */
  readonly sharedName: string
  /** The namespace of the deployment. */
  readonly namespace: string
  readonly image: string
  readonly replicas: number
  /** The namespaces to which the project restricts all of its operators. */
  readonly watch: readonly string[] | undefined
  /** The Lease that the project's own main file names; otherwise `run` derives it. */
  readonly lease: string | undefined
  /** What the project sets for the pods, their service account and all objects. */
  readonly workload: Pick<
    Project['settings'],
    | 'env'
    | 'envFrom'
    | 'resources'
    | 'pod'
    | 'volumeMounts'
    | 'labels'
    | 'podLabels'
    | 'podAnnotations'
    | 'serviceAccountAnnotations'
  >
  /** Objects for Prometheus and Grafana; `undefined` for none. */
  readonly monitoring: Required<MonitoringSettings> | undefined
  /** Whether the pods have a NetworkPolicy; `undefined` only if they have webhooks. */
  readonly networkPolicy: boolean | undefined
  readonly disruptionBudget: boolean
}

/** An RFC 1123 label, which names of namespaces and services must be. */
const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/

/** Leaves room for suffixes: `-metrics`, the hashes of pods. */
const nameCharactersMax = 40

/** The settings of a project's manifests: options override settings, settings override defaults. */
export function manifestSettings(project: Project, options: ManifestOptions): ManifestSettings {
  const { settings, version } = project
  const name = nameOf(project.name)
  const namespaceDefault = `${name}-system`
  const namespace = checked(
    options.namespace ?? settings.namespace ?? namespaceDefault,
    'the namespace',
  )
  for (const watched of settings.watch ?? []) checked(watched, 'the namespace to watch')
  return {
    name,
    sharedName: namespace === namespaceDefault ? name : `${name}-${namespace}`,
    namespace,
    image: checkedImage(options.image ?? tagged(settings.image ?? name, version)),
    replicas: options.replicas ?? settings.replicas ?? 1,
    workload: settings,
    watch: settings.watch === undefined ? undefined : [...new Set(settings.watch)].sort(),
    lease: settings.lease,
    monitoring: monitoringOf(settings.monitoring, options.monitoring),
    networkPolicy: options.networkPolicy ?? settings.networkPolicy,
    disruptionBudget: options.disruptionBudget ?? settings.disruptionBudget ?? false,
  }
}

/** The settings of monitoring with their defaults; the option only turns it on or off. */
function monitoringOf(
  setting: Project['settings']['monitoring'],
  option: boolean | undefined,
): ManifestSettings['monitoring'] {
  const isOn = option ?? (setting !== undefined && setting !== false)
  if (!isOn) return undefined
  const own = typeof setting === 'object' ? setting : {}
  return {
    serviceMonitor: true,
    alerts: true,
    dashboard: true,
    labels: {},
    interval: '30s',
    ...own,
  }
}

/** The name of a package as a Kubernetes name: `@team/my_app` is `my-app`. */
function nameOf(packageName: string): string {
  const name = packageName
    .replace(/^@[^/]*\//, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, nameCharactersMax)
    .replaceAll(/^-+|-+$/g, '')
  return name === '' ? 'operator' : name
}

/** Adds the project's version to an image without a tag. */
function tagged(image: string, version: string): string {
  const { tag, digest } = imageParts(image)
  if (tag !== undefined || digest !== undefined) return image
  return `${image}:${version.replaceAll(/[^\w.-]/g, '-')}`
}

/** The parts of an image reference, as kustomize names them. */
export function imageParts(image: string): {
  readonly name: string
  readonly tag?: string
  readonly digest?: string
} {
  const [named = '', digest] = image.split('@', 2)
  const [, name = named, tag] = /^(.*?)(?::([^/:]*))?$/.exec(named) ?? []
  return {
    name,
    ...(tag === undefined ? {} : { tag }),
    ...(digest === undefined ? {} : { digest }),
  }
}

function checked(namespace: string, what: string): string {
  if (label.test(namespace)) return namespace
  throw new CommandError(`${what} ${JSON.stringify(namespace)} is not a valid name`, {
    hint: 'use lower-case letters, digits and hyphens',
    exitCode: exitCodes.usage,
  })
}

function checkedImage(image: string): string {
  if (/^[a-z0-9]([\w.-]*(:\d+)?\/)?[\w./-]*(:[\w][\w.-]*)?(@[a-z0-9+]+:[0-9a-f]+)?$/i.test(image)) {
    return image
  }
  throw new CommandError(`${JSON.stringify(image)} is not a valid image`, {
    hint: 'write it as for `docker pull`: registry.example.com/team/app:1.0.0',
    exitCode: exitCodes.usage,
  })
}
