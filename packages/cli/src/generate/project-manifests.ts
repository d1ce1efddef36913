import type { AnyResourceDefinition } from 'setpoint'
import { definitionsOf, titleOf } from './definition-objects.ts'
import { asGenerated } from './generated-text.ts'
import { imageParts, manifestSettings, type ManifestSettings } from './manifest-settings.ts'
import { type ManifestSource, objectFiles } from './project-objects.ts'
import { sampleValue } from './sample-value.ts'
import { toYaml } from './to-yaml.ts'
import { needsPods } from './webhook-address.ts'

/** A file of a project's manifests. */
export interface ManifestFile {
  /** Relative to the project's folder: `config/...`. */
  readonly path: string
  readonly text: string
  /** It belongs to the user: it is written only if it does not exist. */
  readonly isKept: boolean
}

/** The folder of manifests in a project. */
export const manifestsFolder = 'config'

/**
 * The manifests of a project as files, sorted by path, for `kubectl apply -k config`, and a sample
 * of each resource. The same operators and settings give the same bytes.
 */
export function projectManifests(
  source: ManifestSource & { readonly hasInstallFile?: boolean | undefined },
): ManifestFile[] {
  const settings = manifestSettings(source.project, source.options ?? {})
  const definitions = definitionsOf(source.operators)
  const parts = objectFiles(source, settings)
  const generated = [
    ...parts.map(({ path, objects }) => ({
      path,
      text: toYaml(...objects.map(({ manifest }) => manifest)),
    })),
    {
      path: 'kustomization.yaml',
      text: kustomization(parts, needsPods(source.operators) ? settings : undefined),
    },
    ...(source.hasInstallFile === true ? [installFile(parts)] : []),
  ].map(({ path, text }) => ({ path, text: asGenerated(text), isKept: false }))
  return sorted([...generated, ...samples(definitions)]).map((file) => ({
    ...file,
    path: `${manifestsFolder}/${file.path}`,
  }))
}

/** All objects in one file, in the order of their creation, for `kubectl apply -f URL`. */
function installFile(parts: ReturnType<typeof objectFiles>): { path: string; text: string } {
  const objects = parts.flatMap((part) => part.objects)
  return { path: 'install.yaml', text: toYaml(...objects.map(({ manifest }) => manifest)) }
}

function sorted<T extends { readonly path: string }>(files: readonly T[]): T[] {
  return [...files].sort((left, right) => (left.path < right.path ? -1 : 1))
}

const kustomizationIdentity = {
  apiVersion: 'kustomize.config.k8s.io/v1beta1',
  kind: 'Kustomization',
}

/** `kubectl apply -R -f` would try to apply the kustomization too. */
const howToApply =
  '# Apply this folder with `kubectl apply --server-side -k`, not with `-R -f`: this file is not a Kubernetes object, and\n' +
  '# samples would be applied before their CRDs are served.\n'

/**
 * Resources are listed in the order of their creation, for tools that do not sort them. The image
 * of pods is listed for overlays and `kustomize edit set image`.
 */
function kustomization(
  files: readonly { readonly path: string }[],
  pods: ManifestSettings | undefined,
): string {
  const { name, tag, digest } = imageParts(pods?.image ?? '')
  const newest = digest === undefined ? { newTag: tag ?? 'latest' } : { digest }
  const content = {
    ...kustomizationIdentity,
    resources: files.map(({ path }) => path),
    ...(pods === undefined ? {} : { images: [{ name, newName: name, ...newest }] }),
  }
  return `${howToApply}${toYaml(content)}`
}

/** A sample per resource, and their kustomization. */
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
  const comment = `# A sample of ${kind}. Edit it: \`setpoint generate\` does not change it.\n`
  return `${comment}${toYaml({
    apiVersion,
    kind,
    metadata: { name: `${singular}-sample` },
    ...(spec === undefined ? {} : { spec: sampleValue(spec, 'spec') }),
  })}`
}
