import type { FieldPlace } from './field-place.ts'
import type { Spec } from './pod-options.ts'

type Volume = NonNullable<Spec['volumes']>[number]

const gone = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+', 'storageOS'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const

/** Warnings about volumes that no longer work, and about files that hide each other. */
export function volumeWarnings(volumes: readonly Volume[], at: FieldPlace): string[] {
  const warnings: string[] = []
  for (const [index, volume] of volumes.entries()) {
    for (const [field, message, path = field] of gone) {
      if (volume[field] === undefined) continue
      warnings.push(`${at.index(index).child(path).path}: ${message}`)
    }
  }
  return [...warnings, ...volumes.flatMap(overlapWarnings)]
}

interface File {
  readonly path: string
  readonly source: string
}

function overlapWarnings(volume: Volume): string[] {
  const { name = '', configMap, secret, downwardAPI, projected } = volume
  const files = (items: readonly { readonly path?: string }[] | undefined, source = '') =>
    (items ?? []).map(({ path = '' }) => ({ path, source }))
  const describe = (what: string, list: readonly File[]) =>
    overlaps(list).map((text) => `volume "${name}" (${what}): overlapping paths: ${text}`)
  const warnings = [
    ...describe(`ConfigMap "${configMap?.name ?? ''}"`, files(configMap?.items)),
    ...describe(`Secret "${secret?.secretName ?? ''}"`, files(secret?.items)),
    ...describe('DownwardAPI', files(downwardAPI?.items)),
  ]
  const all: File[] = []
  for (const source of projected?.sources ?? []) {
    if (Object.keys(source).length === 0) {
      warnings.push(`volume "${name}" (Projected) has no sources provided`)
    }
    all.push(
      ...files(source.configMap?.items, `ConfigMap "${source.configMap?.name ?? ''}"`),
      ...files(source.secret?.items, `Secret "${source.secret?.name ?? ''}"`),
      ...files(source.downwardAPI?.items, 'DownwardAPI'),
      ...files(
        source.serviceAccountToken === undefined ? [] : [source.serviceAccountToken],
        'ServiceAccountToken',
      ),
    )
  }
  return [...warnings, ...describe('Projected', all)]
}

function overlaps(files: readonly File[]): string[] {
  const seen: File[] = []
  const texts: string[] = []
  const show = ({ path, source }: File) => (source === '' ? `"${path}"` : `"${path}" (${source})`)
  for (const { path: raw, source } of files) {
    const file = { path: raw.replace(/\/+$/, ''), source }
    for (const other of seen) {
      if (file.path === '' || other.path === '') continue
      const [mine, theirs] = [`${file.path}/`, `${other.path}/`]
      if (!mine.startsWith(theirs) && !theirs.startsWith(mine)) continue
      texts.push(`${show(file)} with ${show(other)}`)
    }
    seen.push(file)
  }
  return texts
}
