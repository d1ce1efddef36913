import { definitionsOf, type ManifestSource, projectObjects, toYaml } from '../generate/index.ts'
import { CommandError } from '../command/index.ts'
import type { OutputFile } from '../output/index.ts'
import { type BundleIdentity, bundleIdentity, type BundleOptions } from './bundle-settings.ts'
import { clusterServiceVersion, type CsvSource } from './cluster-service-version.ts'

/** What a bundle is made from. */
export interface BundleSource {
  readonly source: ManifestSource
  readonly options: BundleOptions
  readonly examples: readonly unknown[]
  readonly icon: CsvSource['icon']
}

/** The files of a bundle: manifests, metadata, a Dockerfile and the configuration of scorecard. */
export function bundleFiles({ source, options, examples, icon }: BundleSource): OutputFile[] {
  const objects = projectObjects(source)
  refusePolicies(objects.policies.length)
  const identity = bundleIdentity(source.project, objects.settings, options)
  const csv = clusterServiceVersion({ source, objects, identity, examples, icon })
  const scorecardImage = source.project.settings.bundle?.scorecardImage
  const hasTests = scorecardImage !== undefined
  const labels = metadataOf(identity, hasTests)
  const others = objects.workload.filter(({ manifest }) => isOwnObject(manifest))
  return [
    {
      path: `manifests/${identity.packageName}.clusterserviceversion.yaml`,
      text: toYaml(csv),
    },
    ...definitionsOf(source.operators).map((definition) => ({
      path: `manifests/${definition.plural}.${definition.group}.crd.yaml`,
      text: toYaml(withoutConversion(definition.crd())),
    })),
    ...others.map(({ manifest }) => ({
      path: `manifests/${manifest.metadata.name}.${manifest.kind.toLowerCase()}.yaml`,
      text: toYaml(withoutNamespace(manifest)),
    })),
    { path: 'metadata/annotations.yaml', text: toYaml({ annotations: labels }) },
    ...(scorecardImage === undefined
      ? []
      : [{ path: 'tests/scorecard/config.yaml', text: toYaml(scorecardConfig(scorecardImage)) }]),
    { path: 'bundle.Dockerfile', text: dockerfile(labels, hasTests) },
  ]
}

function refusePolicies(count: number): void {
  if (count === 0) return
  throw new CommandError('an OLM bundle cannot contain admission policies', {
    hint: 'deploy this project with setpoint chart or setpoint generate, or put the policies into a project of their own',
  })
}

/** OLM creates the rest: the Deployment, roles, the Service and the certificate of webhooks. */
function isOwnObject({ kind, metadata }: { kind: string; metadata: { name: string } }): boolean {
  return kind === 'PodDisruptionBudget' || (kind === 'Service' && !/-webhooks$/.test(metadata.name))
}

/** OLM decides the namespace. */
function withoutNamespace(manifest: { readonly metadata: object }): object {
  const { namespace: _namespace, ...metadata } = manifest.metadata as { namespace?: string }
  return { ...manifest, metadata }
}

/** OLM sets the conversion webhook of the ClusterServiceVersion. */
function withoutConversion(
  crd: ReturnType<ReturnType<typeof definitionsOf>[number]['crd']>,
): object {
  const { conversion: _conversion, ...spec } = crd.spec as typeof crd.spec & {
    conversion?: unknown
  }
  return { ...crd, spec }
}

/** The labels of the image, which are the annotations of the bundle too. */
function metadataOf(identity: BundleIdentity, hasTests: boolean): Readonly<Record<string, string>> {
  const prefix = 'operators.operatorframework.io'
  return {
    [`${prefix}.bundle.mediatype.v1`]: 'registry+v1',
    [`${prefix}.bundle.manifests.v1`]: 'manifests/',
    [`${prefix}.bundle.metadata.v1`]: 'metadata/',
    [`${prefix}.bundle.package.v1`]: identity.packageName,
    [`${prefix}.bundle.channels.v1`]: identity.channels.join(','),
    [`${prefix}.bundle.channel.default.v1`]: identity.defaultChannel,
    ...(hasTests
      ? {
          [`${prefix}.test.mediatype.v1`]: 'scorecard+v1',
          [`${prefix}.test.config.v1`]: 'tests/scorecard/',
        }
      : {}),
  }
}

function dockerfile(labels: Readonly<Record<string, string>>, hasTests: boolean): string {
  const lines = Object.entries(labels).map(([name, value]) => `LABEL ${name}=${value}`)
  const folders = ['manifests', 'metadata', ...(hasTests ? ['tests/scorecard'] : [])]
  const copies = folders.map((folder) => `COPY ${folder} /${folder}/`)
  return `${['FROM scratch', '', ...lines, '', ...copies].join('\n')}\n`
}

/** The tests that `operator-sdk scorecard` runs in a cluster, with the image that has them. */
function scorecardConfig(image: string): object {
  const test = (suite: string, name: string): object => ({
    entrypoint: ['scorecard-test', name],
    image,
    labels: { suite, test: `${name}-test` },
  })
  const olm = [
    'bundle-validation',
    'crds-have-validation',
    'crds-have-resources',
    'spec-descriptors',
    'status-descriptors',
  ]
  return {
    apiVersion: 'scorecard.operatorframework.io/v1alpha3',
    kind: 'Configuration',
    metadata: { name: 'config' },
    stages: [
      {
        parallel: true,
        tests: [
          test('basic', 'basic-check-spec'),
          ...olm.map((name) => test('olm', `olm-${name}`)),
        ],
      },
    ],
  }
}
