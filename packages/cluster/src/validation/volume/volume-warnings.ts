import type { FieldPath } from '../go/field-path.ts'
import type { Spec } from '../pod/pod-options.ts'
import { claimSpecWarnings } from '../storage/storage-warnings.ts'

type Volume = NonNullable<Spec['volumes']>[number]

const removedBeforeClaims = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+', 'storageOS'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
] as const

const removedAfterClaims = [
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const

/** Warns about removed types of volumes, and about files with overlapping paths. */
export function volumeWarnings(volumes: readonly Volume[], at: FieldPath): string[] {
  const warnings: string[] = []
  for (const [index, volume] of volumes.entries()) {
    const place = at.index(index)
    for (const [field, message, path = field] of removedBeforeClaims) {
      if (volume[field] !== undefined) warnings.push(`${place.child(path).path}: ${message}`)
    }
    const claim = volume.ephemeral?.volumeClaimTemplate?.spec ?? {}
    const claimAt = place.child('ephemeral', 'volumeClaimTemplate', 'spec')
    warnings.push(...claimSpecWarnings(claim, claimAt))
    for (const [field, message] of removedAfterClaims) {
      if (volume[field] !== undefined) warnings.push(`${place.child(field).path}: ${message}`)
    }
  }
  return [...warnings, ...volumes.flatMap(overlapWarnings)]
}

interface File {
  readonly path: string
  readonly source: string
}

function files(items: readonly { readonly path?: string }[] | undefined, source = ''): File[] {
  return (items ?? []).map(({ path = '' }) => ({ path, source }))
}

type Projection = NonNullable<NonNullable<Volume['projected']>['sources']>[number]

function projectedFiles(source: Projection): File[] {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle } = source
  if (configMap?.items !== undefined) {
    return files(configMap.items, `ConfigMap "${configMap.name ?? ''}"`)
  }
  if (secret?.items !== undefined) return files(secret.items, `Secret "${secret.name ?? ''}"`)
  if (downwardAPI?.items !== undefined) return files(downwardAPI.items, 'DownwardAPI')
  if (serviceAccountToken !== undefined) return files([serviceAccountToken], 'ServiceAccountToken')
  if (clusterTrustBundle !== undefined) {
    const name = clusterTrustBundle.name ?? clusterTrustBundle.signerName ?? ''
    return files([clusterTrustBundle], `ClusterTrustBundle "${name}"`)
  }
  const {
    certificateChainPath = '',
    keyPath = '',
    credentialBundlePath = '',
  } = source.podCertificate ?? {}
  return [
    { path: certificateChainPath, source: 'PodCertificate chain' },
    { path: keyPath, source: 'PodCertificate key' },
    { path: credentialBundlePath, source: 'PodCertificate credential bundle' },
  ].filter(({ path }) => path !== '')
}

function overlapWarnings(volume: Volume): string[] {
  const { name = '', configMap, secret, downwardAPI, projected } = volume
  const describe = (what: string, list: readonly File[], seen: File[] = []) =>
    overlaps(list, seen).map((text) => `volume "${name}" (${what}): overlapping paths: ${text}`)
  const projectedSeen: File[] = []
  return [
    ...describe(`ConfigMap "${configMap?.name ?? ''}"`, files(configMap?.items)),
    ...describe(`Secret "${secret?.secretName ?? ''}"`, files(secret?.items)),
    ...describe('DownwardAPI', files(downwardAPI?.items)),
    ...(projected?.sources ?? []).flatMap((source) =>
      Object.keys(source).length === 0
        ? [`volume "${name}" (Projected) has no sources provided`]
        : describe('Projected', projectedFiles(source), projectedSeen),
    ),
  ]
}

/** Files whose paths overlap with each other or with those seen before, to which they are added. */
function overlaps(files: readonly File[], seen: File[]): string[] {
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
