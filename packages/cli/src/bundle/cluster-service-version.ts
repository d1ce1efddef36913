import type { AnyOperator } from 'setpoint'
import { hasWebhooks, type ManifestSource, type ProjectObjects } from '../generate/index.ts'
import type { BundleIdentity } from './bundle-settings.ts'
import { bundlePermissions } from './bundle-permissions.ts'
import { bundleWebhooks, certificatesFolder } from './bundle-webhooks.ts'
import { displayName } from './descriptors.ts'
import { ownedApis, ownedResources } from './owned-resources.ts'

/** What a ClusterServiceVersion is made from. */
export interface CsvSource {
  readonly source: ManifestSource
  readonly objects: ProjectObjects
  readonly identity: BundleIdentity
  /** Sample objects. */
  readonly examples: readonly unknown[]
  readonly icon: { readonly base64data: string; readonly mediatype: string } | undefined
}

/** The ClusterServiceVersion: what OLM installs, and what catalogs show. */
export function clusterServiceVersion(csv: CsvSource): object {
  const { source, objects, identity, icon } = csv
  const { project, operators } = source
  const { bundle = {} } = project.settings
  const { about = {} } = project
  const title = bundle.displayName ?? displayName(identity.packageName)
  const { name, image } = objects.settings
  const webhooks = bundleWebhooks(operators, name)
  const apis = ownedApis(operators, name)
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: { name: identity.csvName, annotations: annotations(csv) },
    spec: {
      displayName: title,
      description: bundle.description ?? about.description ?? `The operator ${title}.`,
      version: identity.version,
      minKubeVersion: '1.30.0',
      maturity: bundle.maturity ?? 'alpha',
      provider: { name: bundle.provider ?? about.maintainers?.[0]?.name ?? title },
      maintainers: (about.maintainers ?? []).flatMap(({ name: person, email }) =>
        email === undefined ? [] : [{ name: person, email }],
      ),
      keywords: about.keywords ?? ['kubernetes', 'operator'],
      links: [about.homepage, about.repository].flatMap((url, index) =>
        url === undefined ? [] : [{ name: index === 0 ? 'Homepage' : 'Source', url }],
      ),
      ...(icon === undefined ? {} : { icon: [icon] }),
      ...(identity.replaces === undefined ? {} : { replaces: identity.replaces }),
      ...(identity.skips.length === 0 ? {} : { skips: identity.skips }),
      installModes: installModes(operators, project.settings.watch !== undefined),
      customresourcedefinitions: { owned: ownedResources(operators) },
      ...(apis.length === 0 ? {} : { apiservicedefinitions: { owned: apis } }),
      install: { strategy: 'deployment', spec: installSpec(csv) },
      ...(webhooks.length === 0 ? {} : { webhookdefinitions: webhooks }),
      relatedImages: [{ name: 'operator', image }],
    },
  }
}

function annotations({ source, objects, identity, examples }: CsvSource): object {
  const { bundle = {} } = source.project.settings
  const { about = {} } = source.project
  return {
    'alm-examples': JSON.stringify(examples, undefined, 2),
    capabilities: bundle.capabilities ?? 'Basic Install',
    categories: (bundle.categories ?? ['Developer Tools']).join(', '),
    containerImage: objects.settings.image,
    ...(about.description === undefined ? {} : { description: about.description }),
    ...(about.repository === undefined ? {} : { repository: about.repository }),
    ...(bundle.support === undefined ? {} : { support: bundle.support }),
    ...(identity.skipRange === undefined ? {} : { 'olm.skipRange': identity.skipRange }),
    'operators.operatorframework.io/builder': 'setpoint',
    'operators.operatorframework.io/project_layout': 'setpoint.dev/v1',
  }
}

/**
 * Which OperatorGroups are possible. What acts on the whole cluster needs all namespaces: a
 * conversion, an aggregated API, and an operator that names its namespaces itself. A project with
 * `watch` is restricted to namespaces, and OLM chooses them.
 */
function installModes(
  operators: readonly AnyOperator[],
  isRestricted: boolean,
): { readonly type: string; readonly supported: boolean }[] {
  const isWide = operators.some(
    ({ declaration: { api, definition, options } }) =>
      api !== undefined ||
      (definition?.versions.length ?? 1) > 1 ||
      options.namespaces !== undefined,
  )
  const some = !isWide
  return [
    { type: 'OwnNamespace', supported: some },
    { type: 'SingleNamespace', supported: some },
    { type: 'MultiNamespace', supported: some },
    { type: 'AllNamespaces', supported: isWide || !isRestricted },
  ]
}

function installSpec({ source, objects }: CsvSource): object {
  const { operators } = source
  const { name, lease } = objects.settings
  const { everywhere, within } = bundlePermissions(operators, lease ?? name)
  const deployment = objects.workload.find(({ manifest }) => manifest.kind === 'Deployment')
  const permission = (rules: readonly object[]): object[] =>
    rules.length === 0 ? [] : [{ serviceAccountName: name, rules }]
  return {
    clusterPermissions: permission(everywhere),
    permissions: permission(within),
    deployments: [
      {
        name,
        label: deployment?.manifest.metadata.labels ?? {},
        spec: deploymentSpec(deployment?.manifest['spec'] as DeploymentSpec, {
          lease: lease ?? name,
          service: `${name}-service`,
          isCalled: hasWebhooks(operators),
        }),
      },
    ],
  }
}

interface DeploymentSpec {
  readonly template: {
    readonly metadata: object
    readonly spec: {
      readonly containers: readonly { readonly env: readonly { readonly name: string }[] }[]
    }
  }
}

/** The Deployment with the variables that OLM decides: namespaces, certificates, its Service. */
function deploymentSpec(
  spec: DeploymentSpec,
  olm: { readonly lease: string; readonly service: string; readonly isCalled: boolean },
): object {
  const decided = ['WATCH_NAMESPACES', 'WEBHOOKS_SERVICE']
  const own = { fieldRef: { fieldPath: 'metadata.namespace' } }
  const targets = { fieldRef: { fieldPath: "metadata.annotations['olm.targetNamespaces']" } }
  const env = [
    { name: 'WATCH_NAMESPACES', valueFrom: targets },
    { name: 'LEASE_NAME', value: olm.lease },
    ...(olm.isCalled
      ? [
          { name: 'POD_NAMESPACE', valueFrom: own },
          { name: 'WEBHOOKS_SERVICE', value: `$(POD_NAMESPACE)/${olm.service}` },
          { name: 'WEBHOOKS_CERTIFICATES', value: certificatesFolder },
        ]
      : []),
  ]
  const { template } = spec
  const containers = template.spec.containers.map((container) => ({
    ...container,
    env: [...container.env.filter(({ name }) => !decided.includes(name)), ...env],
  }))
  return { ...spec, template: { ...template, spec: { ...template.spec, containers } } }
}
