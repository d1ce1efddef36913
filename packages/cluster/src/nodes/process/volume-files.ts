import type { Frozen } from 'setpoint'
import type { KeyToPath, Volume, VolumeProjection } from 'setpoint/kinds'
import { volumeProblem } from '../missing-sources.ts'
import { fieldValue, type PodFacts, resourceValue } from './field-values.ts'
import { configMapValues, MissingSource, type PodSources, secretValues } from './pod-sources.ts'

/** A file of a volume, at a path below it. */
export interface VolumeFile {
  readonly path: string
  readonly data: string | Uint8Array
  readonly mode: number
}

/** The content of a volume: files, an empty directory, or an existing directory. */
export type VolumeContent =
  | { readonly files: readonly VolumeFile[] }
  | { readonly isEmpty: true }
  | { readonly volume: string }
  | { readonly path: string }

const modeDefault = 0o644

/**
 * Computes the content of a pod's volume. Throws a `MissingSource` if a source does not exist or is
 * not supported.
 */
export function volumeContent(
  facts: PodFacts,
  volume: Frozen<Volume>,
  sources: PodSources,
): VolumeContent {
  const problem = volumeProblem(volume, sources)
  if (problem !== undefined) throw new MissingSource(problem)
  const { emptyDir, configMap, secret, projected, downwardAPI, persistentVolumeClaim } = volume
  if (emptyDir !== undefined) return { isEmpty: true }
  if (configMap !== undefined) {
    return { files: keyedFiles(configMapValues(sources, configMap), configMap) }
  }
  if (secret !== undefined) {
    return { files: keyedFiles(secretValues(sources, { name: secret.secretName ?? '' }), secret) }
  }
  if (downwardAPI !== undefined) {
    return { files: downwardFiles(facts, downwardAPI.items, downwardAPI.defaultMode) }
  }
  if (projected !== undefined) {
    const { defaultMode } = projected
    const from = projected.sources ?? []
    return { files: from.flatMap((one) => projectedFiles(facts, one, { sources, defaultMode })) }
  }
  if (volume.hostPath !== undefined) return { path: volume.hostPath.path }
  const claim = persistentVolumeClaim?.claimName ?? `${facts.pod.metadata.name}-${volume.name}`
  if (persistentVolumeClaim === undefined && volume.ephemeral === undefined) {
    throw new MissingSource('process nodes do not support this volume type')
  }
  const bound = sources.volumeOf(claim)
  if (bound === undefined) throw new MissingSource(`persistentvolumeclaim "${claim}" is not bound`)
  return { volume: bound }
}

interface KeyedSource {
  readonly items?: readonly Frozen<KeyToPath>[]
  readonly defaultMode?: number
}

/** The files of a source whose required keys exist. */
function keyedFiles(
  values: Readonly<Record<string, Uint8Array>>,
  { items, defaultMode = modeDefault }: KeyedSource,
): VolumeFile[] {
  const keys = items ?? Object.keys(values).map((key) => ({ key, path: key }))
  return keys.flatMap(({ key, path, mode = defaultMode }: Frozen<KeyToPath>) => {
    const data = Object.hasOwn(values, key) ? values[key] : undefined
    return data === undefined ? [] : [{ path, data, mode }]
  })
}

function downwardFiles(
  facts: PodFacts,
  items: NonNullable<Frozen<Volume>['downwardAPI']>['items'] = [],
  defaultMode = modeDefault,
): VolumeFile[] {
  return items.map(({ path, mode = defaultMode, fieldRef, resourceFieldRef }) => {
    if (fieldRef !== undefined) return { path, mode, data: fieldValue(facts, fieldRef.fieldPath) }
    const { containers } = facts.pod.spec
    const container = containers.find(({ name }) => name === resourceFieldRef?.containerName)
    if (resourceFieldRef === undefined || container === undefined) {
      throw new MissingSource(`no content is defined for ${path}: set fieldRef or resourceFieldRef`)
    }
    return { path, mode, data: resourceValue(container, resourceFieldRef) }
  })
}

function projectedFiles(
  facts: PodFacts,
  source: Frozen<VolumeProjection>,
  at: { readonly sources: PodSources; readonly defaultMode: number | undefined },
): VolumeFile[] {
  const { configMap, secret, downwardAPI, serviceAccountToken } = source
  const { sources, defaultMode = modeDefault } = at
  if (configMap !== undefined) {
    return keyedFiles(configMapValues(sources, configMap), { ...configMap, defaultMode })
  }
  if (secret !== undefined) {
    return keyedFiles(secretValues(sources, secret), { ...secret, defaultMode })
  }
  if (downwardAPI !== undefined) return downwardFiles(facts, downwardAPI.items, defaultMode)
  if (serviceAccountToken === undefined) {
    throw new MissingSource('process nodes do not support this projected volume source')
  }
  const { path, audience } = serviceAccountToken
  return [{ path, data: sources.token(audience), mode: 0o600 }]
}
