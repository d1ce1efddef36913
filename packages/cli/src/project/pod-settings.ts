import { isListOf, isRecord } from './optional-settings.ts'

/** A source of an environment variable, as in a container. */
export type EnvSource = Readonly<Record<string, unknown>>

/** The requests and limits of the container; `null` removes a default. */
export type ResourceSettings = Readonly<
  Partial<Record<'requests' | 'limits', Readonly<Record<string, string | null>>>>
>

const sources = ['secretKeyRef', 'configMapKeyRef', 'fieldRef', 'resourceFieldRef']

/** Variables that follow from other settings. */
const ownVariables = [
  'LEADER_ELECTION',
  'WATCH_NAMESPACES',
  'HTTP_SOURCES_PORT',
  'PROBES_PORT',
  'WEBHOOKS_SERVICE',
]

/** Fields of a pod that do not contradict what Setpoint generates. */
const podFields = [
  'affinity',
  'dnsConfig',
  'dnsPolicy',
  'hostAliases',
  'imagePullSecrets',
  'initContainers',
  'nodeSelector',
  'priorityClassName',
  'runtimeClassName',
  'schedulerName',
  'terminationGracePeriodSeconds',
  'tolerations',
  'topologySpreadConstraints',
  'volumes',
]

/** Whether a value is `{ NAME: 'value', OTHER: { secretKeyRef: { name, key } } }`. */
export function isEnv(value: unknown): boolean {
  return (
    isRecord(value) &&
    Object.entries(value).every(
      ([name, content]) =>
        /^[A-Za-z_][\w.-]*$/.test(name) &&
        !ownVariables.includes(name) &&
        (typeof content === 'string' || isSource(content)),
    )
  )
}

/** What `env` must be. */
export const envText = `an object of names with texts or ${sources.join(', ')}; Setpoint sets ${ownVariables.join(', ')}`

function isSource(value: unknown): boolean {
  if (!isRecord(value)) return false
  const [name = '', ...others] = Object.keys(value)
  return others.length === 0 && sources.includes(name) && isRecord(value[name])
}

/** Whether a value is `{ requests: { cpu: '10m' }, limits: { memory: '1Gi', cpu: null } }`. */
export function isResources(value: unknown): boolean {
  return (
    isRecord(value) &&
    Object.entries(value).every(
      ([name, amounts]) =>
        (name === 'requests' || name === 'limits') &&
        isRecord(amounts) &&
        Object.values(amounts).every((amount) => amount === null || typeof amount === 'string'),
    )
  )
}

/** What `resources` must be. */
export const resourcesText =
  'an object with requests and limits, whose values are quantities, or null for none'

/** Whether a value has only fields of a pod that a project may set. */
export function isPod(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).every((name) => podFields.includes(name))
}

/** What `pod` must be. */
export const podText = `an object with fields of a pod: ${podFields.join(', ')}`

/** Whether a value is a list of mounts, whose volumes are in `pod`. */
export function isVolumeMounts(value: unknown): boolean {
  return isListOf(value, 'name', 'mountPath')
}

/** What `volumeMounts` must be. */
export const volumeMountsText =
  'a list of objects with name and mountPath, as in a container; the volumes are in "pod": { "volumes" }'

/** Whether a value is a list of ConfigMaps and Secrets whose keys become variables. */
export function isEnvFrom(value: unknown): boolean {
  return (
    isListOf(value) &&
    (value as readonly object[]).every((item) => 'configMapRef' in item || 'secretRef' in item)
  )
}

/** What `envFrom` must be. */
export const envFromText = 'a list of objects with configMapRef or secretRef, as in a container'
