import type { Frozen } from 'setpoint'
import type { ConfigMap, Container, Secret, Volume } from 'setpoint/kinds'
import type { PodView } from './behaviour/index.ts'

/** The ConfigMaps and Secrets of a pod's namespace. */
export interface SourceLookup {
  configMap(name: string): Frozen<ConfigMap> | undefined
  secret(name: string): Frozen<Secret> | undefined
}

interface Reference {
  readonly name?: string
  readonly optional?: boolean
}

/** The volume that admission adds for the token of the service account. */
const tokenVolume = /^kube-api-access-/

/** Whether a pod references ConfigMaps or Secrets. That of every service account does not count. */
export function hasSources({ spec }: PodView): boolean {
  const { containers, initContainers = [], ephemeralContainers = [], volumes = [] } = spec
  const isSource = ({ name, configMap, secret, projected }: Frozen<Volume>): boolean =>
    configMap !== undefined ||
    secret !== undefined ||
    (projected !== undefined && !tokenVolume.test(name))
  return (
    [containers, initContainers, ephemeralContainers].some((list) => list.some(importsEnv)) ||
    volumes.some(isSource)
  )
}

function importsEnv({
  env = [],
  envFrom = [],
}: Pick<Frozen<Container>, 'env' | 'envFrom'>): boolean {
  return envFrom.length > 0 || env.some(({ valueFrom }) => valueFrom !== undefined)
}

/**
 * Why the environment of a container cannot be computed, in the words of a kubelet: `envFrom` comes
 * first, then `env` in its order. Only texts of a ConfigMap can be variables.
 */
export function envProblem(
  { metadata }: PodView,
  { env = [], envFrom = [] }: Pick<Frozen<Container>, 'env' | 'envFrom'>,
  lookup: SourceLookup,
): string | undefined {
  for (const { configMapRef, secretRef } of envFrom) {
    const problem =
      (configMapRef && configMapProblem(configMapRef, lookup)) ??
      (secretRef && secretProblem(secretRef, lookup))
    if (problem !== undefined) return problem
  }
  const noKey = (kind: string, name: string, key: string): string =>
    `couldn't find key ${key} in ${kind} ${metadata.namespace}/${name}`
  for (const { valueFrom: { configMapKeyRef: map, secretKeyRef: secret } = {} } of env) {
    if (map !== undefined && map.optional !== true) {
      const { name = '', key } = map
      const problem = configMapProblem(map, lookup)
      if (problem !== undefined) return problem
      if (!has(lookup.configMap(name)?.data, key)) return noKey('ConfigMap', name, key)
    }
    if (secret !== undefined && secret.optional !== true) {
      const { name = '', key } = secret
      const problem = secretProblem(secret, lookup)
      if (problem !== undefined) return problem
      if (!has(lookup.secret(name)?.data, key)) return noKey('Secret', name, key)
    }
  }
  return undefined
}

/** Why the content of a volume cannot be written, in the words of a kubelet. */
export function volumeProblem(volume: Frozen<Volume>, lookup: SourceLookup): string | undefined {
  const { configMap, secret, projected } = volume
  if (configMap !== undefined) return configMapFilesProblem(configMap, lookup)
  if (secret !== undefined) {
    const { secretName: name = '', ...rest } = secret
    return secretFilesProblem({ ...rest, name }, lookup)
  }
  const problems = (projected?.sources ?? []).flatMap(({ configMap: map, secret: other }) => {
    const problem =
      (map && configMapFilesProblem(map, lookup)) ?? (other && secretFilesProblem(other, lookup))
    return problem === undefined ? [] : [problem]
  })
  // Several errors are written as Go writes an aggregate, which has every text once.
  const different = [...new Set(problems)]
  return different.length > 1 ? `[${different.join(', ')}]` : different[0]
}

/** The Event messages about the volumes that cannot be mounted. */
export function mountProblems({ spec }: PodView, lookup: SourceLookup): string[] {
  return (spec.volumes ?? [])
    .filter(({ name }) => !tokenVolume.test(name))
    .flatMap((volume) => {
      const problem = volumeProblem(volume, lookup)
      return problem === undefined ? [] : [mountFailure(volume.name, problem)]
    })
}

/** The Event message about a volume that cannot be mounted. */
export function mountFailure(volume: string, problem: string): string {
  return `MountVolume.SetUp failed for volume "${volume}" : ${problem}`
}

interface Files extends Reference {
  readonly items?: readonly { readonly key: string }[]
}

function configMapFilesProblem(files: Files, lookup: SourceLookup): string | undefined {
  if (files.optional === true) return undefined
  const problem = configMapProblem(files, lookup)
  if (problem !== undefined) return problem
  const { data, binaryData } = lookup.configMap(files.name ?? '') ?? {}
  const missing = files.items?.find(({ key }) => !has(data, key) && !has(binaryData, key))
  return missing && `configmap references non-existent config key: ${missing.key}`
}

function secretFilesProblem(files: Files, lookup: SourceLookup): string | undefined {
  if (files.optional === true) return undefined
  const problem = secretProblem(files, lookup)
  if (problem !== undefined) return problem
  const { data } = lookup.secret(files.name ?? '') ?? {}
  const missing = files.items?.find(({ key }) => !has(data, key))
  return missing && `references non-existent secret key: ${missing.key}`
}

function configMapProblem(reference: Reference, lookup: SourceLookup): string | undefined {
  const { name = '', optional = false } = reference
  if (optional || lookup.configMap(name) !== undefined) return undefined
  return `configmap ${JSON.stringify(name)} not found`
}

function secretProblem(reference: Reference, lookup: SourceLookup): string | undefined {
  const { name = '', optional = false } = reference
  if (optional || lookup.secret(name) !== undefined) return undefined
  return `secret ${JSON.stringify(name)} not found`
}

function has(values: Readonly<Record<string, unknown>> | undefined, key: string): boolean {
  return values !== undefined && Object.hasOwn(values, key)
}
