import { definitionsOf, type ManifestSource, projectObjects, toYaml } from '../generate/index.ts'
import type { OutputFile } from '../output/index.ts'
import { bundleIdentity, type BundleOptions } from './bundle-settings.ts'

/** A file-based catalog with this bundle, for `opm serve` and CatalogSources. */
export function catalogFiles({
  source,
  options,
  bundleImage,
}: {
  readonly source: ManifestSource
  readonly options: BundleOptions
  readonly bundleImage: string
}): OutputFile[] {
  const { project, operators } = source
  const { settings } = projectObjects(source)
  const identity = bundleIdentity(project, settings, options)
  const { packageName, csvName, replaces, skips, skipRange } = identity
  const entry = {
    name: csvName,
    ...(replaces === undefined ? {} : { replaces }),
    ...(skips.length === 0 ? {} : { skips }),
    ...(skipRange === undefined ? {} : { skipRange }),
  }
  const gvks = definitionsOf(operators).flatMap(({ group, kind, versions }) =>
    versions.map((version) => ({ type: 'olm.gvk', value: { group, kind, version } })),
  )
  const documents = [
    {
      schema: 'olm.package',
      name: packageName,
      defaultChannel: identity.defaultChannel,
      description:
        project.settings.bundle?.description ?? project.about?.description ?? packageName,
    },
    ...identity.channels.map((name) => ({
      schema: 'olm.channel',
      package: packageName,
      name,
      entries: [entry],
    })),
    {
      schema: 'olm.bundle',
      name: csvName,
      package: packageName,
      image: bundleImage,
      properties: [
        { type: 'olm.package', value: { packageName, version: identity.version } },
        ...gvks,
      ],
      relatedImages: [
        { name: '', image: bundleImage },
        { name: 'operator', image: settings.image },
      ],
    },
  ]
  return [{ path: `${packageName}/catalog.yaml`, text: toYaml(...documents) }]
}
