import type { AnyResourceDefinition } from 'setpoint'
import { definitionsOf, titleOf } from './definition-objects.ts'
import { asGenerated } from './generated-text.ts'
import { imageParts, manifestSettings, type ManifestSettings } from './manifest-settings.ts'
import { type ManifestSource, objectFiles } from './project-objects.ts'
import { sampleValue } from './sample-value.ts'
import { toYaml } from './to-yaml.ts'

/** A file of a project's manifests. */
export interface ManifestFile {
  /** From the project's folder: `config/...`. */
  readonly path: string
  readonly text: string
  /** It belongs to the user once it exists: it is written only when there is none. */
  readonly isKept: boolean
}

/** The folder of manifests in a project. */
export const manifestsFolder = 'config'

/**
 * The manifests of a project as files, sorted by path: what `kubectl apply -k config` brings into a cluster, and a
 * sample of each resource. The same operators and settings give the same bytes.
 */
export function projectManifests(source: ManifestSource): ManifestFile[] {
  const settings = manifestSettings(source.project, source.options ?? {})
  const definitions = definitionsOf(source.operators)
  const parts = objectFiles(source, settings)
  const generated = [
    ...parts.map(({ path, objects }) => ({
      path,
      text: toYaml(...objects.map(({ manifest }) => manifest)),
    })),
    { path: 'kustomization.yaml', text: kustomization(settings, parts) },
  ].map(({ path, text }) => ({ path, text: asGenerated(text), isKept: false }))
  return sorted([...generated, ...samples(definitions)]).map((file) => ({
    ...file,
    path: `${manifestsFolder}/${file.path}`,
  }))
}

function sorted<T extends { readonly path: string }>(files: readonly T[]): T[] {
  return [...files].sort((left, right) => (left.path < right.path ? -1 : 1))
}

const kustomizationIdentity = {
  apiVersion: 'kustomize.config.k8s.io/v1beta1',
  kind: 'Kustomization',
}

/** Whoever applies files one by one would apply this one, too. */
const howToApply =
  '# `kubectl apply --server-side -k` on this folder applies what is listed here. `-R -f` cannot: to kubectl this file is no\n' +
  '# object, and samples would come before their CRDs are served.\n'

/**
 * Resources are listed in an order in which they can be made, for whoever does not sort them. The image is named so that an
 * overlay, or `kustomize edit set image`, has something to change.
 */
function kustomization(
  { image }: ManifestSettings,
  files: readonly { readonly path: string }[],
): string {
  const { name, tag, digest } = imageParts(image)
  const newest = digest === undefined ? { newTag: tag ?? 'latest' } : { digest }
  const content = {
    ...kustomizationIdentity,
    resources: files.map(({ path }) => path),
    images: [{ name, newName: name, ...newest }],
  }
  return `${howToApply}${toYaml(content)}`
}

/** A sample per resource, and what applies them all. */
function samples(definitions: readonly AnyResourceDefinition[]): ManifestFile[] {
  if (definitions.length === 0) return []
  const files = definitions.map((definition) => {
    const name = titleOf(definition, definitions)
    return { path: `samples/${name}.yaml`, text: sampleText(definition), isKept: true }
  })
  const resources = sorted(files).map(({ path }) => path.replace(/^samples\//, ''))
  const text = asGenerated(toYaml({ ...kustomizationIdentity, resources }))
  return [...files, { path: 'samples/kustomization.yaml', text, isKept: false }]
}

function sampleText(definition: AnyResourceDefinition): string {
  const { kind, singular, apiVersion } = definition
  const { spec } = definition.schema().properties ?? {}
  const comment = `# ${article(kind)} ${kind} to begin with. It is yours: \`setpoint generate\` does not change it.\n`
  return `${comment}${toYaml({
    apiVersion,
    kind,
    metadata: { name: `${singular}-sample` },
    ...(spec === undefined ? {} : { spec: sampleValue(spec, 'spec') }),
  })}`
}

function article(word: string): string {
  return /^[aeio]/i.test(word) ? 'An' : 'A'
}
