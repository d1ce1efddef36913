import {
  type AnyOperator,
  type AnyResourceDefinition,
  conversionWebhook,
  type CrdOptions,
} from 'setpoint'
import type { Project } from '../project/index.ts'
import { type ClusterObject, withLabels } from './cluster-object.ts'
import { crdName, crdObject, definitionsOf, titleOf } from './definition-objects.ts'
import { deploymentObject, namespaceObject, services } from './manager-objects.ts'
import {
  type ManifestOptions,
  manifestSettings,
  type ManifestSettings,
} from './manifest-settings.ts'
import { disruptionBudget, monitoringObjects, networkPolicy } from './optional/index.ts'
import { electionRole, operatorRoles, serviceAccount, userRoles } from './rbac-objects.ts'
import { hasWebhooks, needsPods, webhookAddress } from './webhook-address.ts'
import {
  apiServices,
  policies,
  webhookConfigurations,
  webhookRoles,
  webhookWorkload,
} from './webhook-objects.ts'

/** The source of manifests. */
export interface ManifestSource {
  readonly project: Project
  readonly operators: readonly AnyOperator[]
  readonly options?: ManifestOptions
}

/** The objects of a project by purpose; each part comes before those that need it. */
export interface ProjectObjects {
  readonly settings: ManifestSettings
  /** CRDs. */
  readonly definitions: readonly ClusterObject[]
  /** Roles for users of the resources. */
  readonly userRoles: readonly ClusterObject[]
  readonly namespace: readonly ClusterObject[]
  /** The service account of the operators and its roles. */
  readonly rights: readonly ClusterObject[]
  /** The Deployment and the Services. */
  readonly workload: readonly ClusterObject[]
  /** What Prometheus and Grafana need. */
  readonly monitoring: readonly ClusterObject[]
  /** Admission policies and their bindings, which need nothing but the CRDs. */
  readonly policies: readonly ClusterObject[]
}

/** A file below the folder of the manifests, with its objects. */
interface ObjectFile {
  readonly path: string
  readonly part: keyof Omit<ProjectObjects, 'settings'>
  readonly objects: readonly ClusterObject[]
}

/** All objects of a deployment by file; each file comes before those that need it. */
export function objectFiles(
  { operators }: ManifestSource,
  settings: ManifestSettings,
): ObjectFile[] {
  const definitions = definitionsOf(operators)
  const known = [...definitions, ...servedDefinitions(operators)]
  const hasPods = needsPods(operators)
  const files: readonly ObjectFile[] = [
    {
      path: 'manager/namespace.yaml',
      part: 'namespace',
      objects: hasPods ? namespaceObject(settings) : [],
    },
    ...definitions.map((definition): ObjectFile => ({
      path: `crd/${crdName(definition)}.yaml`,
      part: 'definitions',
      objects: [crdObject(definition, settings, conversionOf(definition, settings))],
    })),
    ...known.flatMap((definition): ObjectFile[] => {
      const title = titleOf(definition, known)
      const { editor, viewer } = userRoles(definition, settings)
      return [
        { path: `rbac/${title}-editor.yaml`, part: 'userRoles', objects: [editor] },
        { path: `rbac/${title}-viewer.yaml`, part: 'userRoles', objects: [viewer] },
      ]
    }),
    ...(hasPods ? podFiles(operators, settings) : []),
    { path: 'policies/policies.yaml', part: 'policies', objects: policies(operators, settings) },
  ]
  return files
    .filter(({ objects }) => objects.length > 0)
    .map((file) => ({
      ...file,
      objects: file.objects.map((object) => withLabels(object, settings.workload.labels)),
    }))
}

/** The pods of the operators, their permissions, and what API servers call. */
function podFiles(
  operators: readonly AnyOperator[],
  settings: ManifestSettings,
): readonly ObjectFile[] {
  const { metrics, httpSources } = services(operators, settings)
  const workload = deploymentObject(operators, settings)
  return [
    { path: 'rbac/service-account.yaml', part: 'rights', objects: [serviceAccount(settings)] },
    { path: 'rbac/role.yaml', part: 'rights', objects: operatorRoles(operators, settings) },
    { path: 'rbac/election-role.yaml', part: 'rights', objects: electionRole(operators, settings) },
    ...(hasWebhooks(operators) ? webhookFiles(operators, settings) : []),
    { path: 'manager/deployment.yaml', part: 'workload', objects: [workload] },
    { path: 'manager/metrics-service.yaml', part: 'workload', objects: [metrics] },
    {
      path: 'manager/http-sources-service.yaml',
      part: 'workload',
      objects: httpSources === undefined ? [] : [httpSources],
    },
    ...protectionFiles(operators, settings),
    ...monitoringFiles(operators, settings),
  ]
}

/** A NetworkPolicy and a PodDisruptionBudget. Webhooks have a NetworkPolicy by default. */
function protectionFiles(
  operators: readonly AnyOperator[],
  settings: ManifestSettings,
): readonly ObjectFile[] {
  const isCalled = hasWebhooks(operators)
  const name = isCalled ? webhookAddress(settings).service.name : settings.name
  const isWanted = settings.networkPolicy ?? isCalled
  return [
    {
      path: `${isCalled ? 'webhooks' : 'manager'}/network-policy.yaml`,
      part: 'workload',
      objects: isWanted ? [networkPolicy(operators, settings, name)] : [],
    },
    {
      path: 'manager/disruption-budget.yaml',
      part: 'workload',
      objects: disruptionBudget(settings),
    },
  ]
}

function monitoringFiles(
  operators: readonly AnyOperator[],
  settings: ManifestSettings,
): readonly ObjectFile[] {
  const { serviceMonitor, alerts, dashboard } = monitoringObjects(settings, {
    hasWebhooks: hasWebhooks(operators),
  })
  return [
    { path: 'monitoring/service-monitor.yaml', part: 'monitoring', objects: serviceMonitor },
    { path: 'monitoring/alerts.yaml', part: 'monitoring', objects: alerts },
    { path: 'monitoring/dashboard.yaml', part: 'monitoring', objects: dashboard },
  ]
}

function webhookFiles(
  operators: readonly AnyOperator[],
  settings: ManifestSettings,
): readonly ObjectFile[] {
  const { service, secret } = webhookWorkload(settings)
  const configurations = webhookConfigurations(operators, settings)
  return [
    { path: 'rbac/webhooks-role.yaml', part: 'rights', objects: webhookRoles(operators, settings) },
    { path: 'webhooks/certificate.yaml', part: 'workload', objects: [secret] },
    { path: 'webhooks/service.yaml', part: 'workload', objects: [service] },
    { path: 'webhooks/configurations.yaml', part: 'workload', objects: configurations },
    {
      path: 'webhooks/api-services.yaml',
      part: 'workload',
      objects: apiServices(operators, settings),
    },
  ]
}

/** The resources of aggregated APIs: they have no CRDs, but users need roles for them, too. */
function servedDefinitions(operators: readonly AnyOperator[]): AnyResourceDefinition[] {
  return operators.flatMap(({ declaration: { api } }) =>
    (api?.resources ?? []).map(({ definition }) => definition),
  )
}

/** The pods convert the objects of a definition with several versions. */
function conversionOf(
  definition: AnyResourceDefinition,
  settings: ManifestSettings,
): CrdOptions | undefined {
  if (definition.versions.length === 1) return undefined
  return { conversionWebhook: conversionWebhook(definition, webhookAddress(settings)) }
}

/** All objects of a deployment by purpose, in the order in which they are applied. */
export function projectObjects(source: ManifestSource): ProjectObjects {
  const settings = manifestSettings(source.project, source.options ?? {})
  const files = objectFiles(source, settings)
  const of = (part: ObjectFile['part']): ClusterObject[] =>
    files.filter((file) => file.part === part).flatMap(({ objects }) => objects)
  return {
    settings,
    definitions: of('definitions'),
    userRoles: of('userRoles'),
    namespace: of('namespace'),
    rights: of('rights'),
    workload: of('workload'),
    monitoring: of('monitoring'),
    policies: of('policies'),
  }
}
