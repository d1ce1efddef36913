import type { FieldPath } from '../go/field-path.ts'
import { checkQualifiedName } from '../fields/check-label-selector.ts'
import {
  configKeyProblems,
  envNameProblems,
  labelProblems,
  subdomainProblems,
} from '../fields/name-rules.ts'
import { nameRules } from '../fields/name-rule.ts'
import { checkNoBacksteps } from '../fields/path-rules.ts'
import type { Container } from '../pod/pod-options.ts'
import { signOf } from '../fields/compare-quantities.ts'

type EnvVar = NonNullable<Container['env']>[number]
type ValueFrom = NonNullable<EnvVar['valueFrom']>

/** Checks `env` of a container. */
export function checkEnv(env: readonly EnvVar[], at: FieldPath): void {
  for (const [index, variable] of env.entries()) {
    const { name = '', valueFrom } = variable
    if (name === '') at.index(index).child('name').required()
    else {
      const problems = envNameProblems(name)
      if (problems.length > 0) at.index(index).child('name').invalidEach(name, problems)
    }
    if (valueFrom !== undefined) {
      checkValueFrom(variable, valueFrom, at.index(index).child('valueFrom'))
    }
  }
}

function checkValueFrom({ value = '' }: EnvVar, from: ValueFrom, at: FieldPath): void {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = from
  if (fieldRef !== undefined) {
    checkFieldRef(fieldRef, at.child('fieldRef'), envFields)
  }
  if (resourceFieldRef !== undefined) {
    checkResourceFieldRef(resourceFieldRef, at.child('resourceFieldRef'), false)
  }
  if (configMapKeyRef !== undefined) checkKeyRef(configMapKeyRef, at.child('configMapKeyRef'))
  if (secretKeyRef !== undefined) checkKeyRef(secretKeyRef, at.child('secretKeyRef'))
  if (fileKeyRef !== undefined) checkFileKeyRef(fileKeyRef, at.child('fileKeyRef'))
  const sources = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef]
  const count = sources.filter((source) => source !== undefined).length
  if (count === 0) {
    const detail =
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'
    at.invalid('', detail)
  } else if (value !== '') at.invalid('', 'may not be specified when `value` is not empty')
  else if (count > 1) at.invalid('', 'may not have more than one field specified at a time')
}

function checkKeyRef(
  { name = '', key = '' }: { readonly name?: string; readonly key?: string },
  at: FieldPath,
): void {
  at.child('name').invalidEach(name, subdomainProblems(name))
  if (key === '') at.child('key').required()
  else at.child('key').invalidEach(key, configKeyProblems(key))
}

function checkFileKeyRef(
  { key = '', volumeName = '', path = '' }: NonNullable<ValueFrom['fileKeyRef']>,
  at: FieldPath,
): void {
  if (key === '') at.child('key').required()
  else at.child('key').invalidEach(key, envNameProblems(key))
  if (volumeName === '') at.child('volumeName').required()
  else at.child('volumeName').invalidEach(volumeName, labelProblems(volumeName))
  if (path === '') at.child('path').required()
  else checkNoBacksteps(path, at.child('path'))
}

const envFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]

/** Fields of a pod that a downward API volume may contain. */
export const volumeFields = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
]

const knownFields = new Set([...envFields, ...volumeFields, 'spec.host'])

/** Checks a reference to a field of the pod; labels and annotations can have a key in brackets. */
export function checkFieldRef(
  { apiVersion = '', fieldPath = '' }: NonNullable<ValueFrom['fieldRef']>,
  at: FieldPath,
  supported: readonly string[],
): void {
  if (apiVersion === '') return at.child('apiVersion').required()
  if (fieldPath === '') return at.child('fieldPath').required()
  const fail = (why: string) =>
    at.child('fieldPath').invalid(fieldPath, `error converting fieldPath: ${why}`)
  if (apiVersion !== 'v1') return fail(`unsupported pod version: ${apiVersion}`)
  const [, path = fieldPath, key] = /^(.*)\['(.*)'\]$/.exec(fieldPath) ?? []
  if (key !== undefined) {
    if (path !== 'metadata.annotations' && path !== 'metadata.labels') {
      return fail(`field label does not support subscript: ${fieldPath}`)
    }
    return checkQualifiedName(path === 'metadata.annotations' ? key.toLowerCase() : key, at)
  }
  if (!knownFields.has(fieldPath)) return fail(`field label not supported: ${fieldPath}`)
  const internal = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath
  if (!supported.includes(internal)) at.child('fieldPath').notSupportedText(internal, supported)
}

const containerAmounts = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
]
const hugePages = /^(requests|limits)\.hugepages-/

/** Checks a reference to a resource of a container. */
export function checkResourceFieldRef(
  reference: NonNullable<ValueFrom['resourceFieldRef']>,
  at: FieldPath,
  forVolume: boolean,
): void {
  const { containerName = '', resource = '', divisor = '0' } = reference
  if (forVolume && containerName === '') at.child('containerName').required()
  else if (resource === '') at.child('resource').required()
  else if (!containerAmounts.includes(resource) && !hugePages.test(resource)) {
    at.child('resource').notSupportedText(resource, containerAmounts)
  }
  if (signOf(divisor) !== 0) checkDivisor(resource, divisor, at.child('divisor'))
}

const sizes = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei']

function checkDivisor(resource: string, divisor: string, at: FieldPath): void {
  if (/^(limits|requests)\.cpu$/.test(resource)) {
    if (divisor === '1m' || divisor === '1') return
    at.invalid(resource, "only divisor's values 1m and 1 are supported with the cpu resource")
    return
  }
  const names = [
    [/^(limits|requests)\.memory$/, 'memory'],
    [/^(limits|requests)\.ephemeral-storage$/, 'local ephemeral storage'],
    [hugePages, 'hugepages'],
  ] as const
  const name = names.find(([pattern]) => pattern.test(resource))?.[1]
  if (name === undefined || sizes.includes(divisor)) return
  const detail = `only divisor's values ${sizes.join(', ')} are supported with the ${name} resource`
  at.invalid(resource, detail)
}

/** Checks `envFrom` of a container; a missing or ambiguous source is reported at the whole list. */
export function checkEnvFrom(sources: NonNullable<Container['envFrom']>, at: FieldPath): void {
  for (const [index, { prefix = '', configMapRef, secretRef }] of sources.entries()) {
    const place = at.index(index)
    if (prefix !== '') place.child('prefix').invalidEach(prefix, envNameProblems(prefix))
    if (configMapRef !== undefined) checkSourceName(configMapRef.name, place.child('configMapRef'))
    if (secretRef !== undefined) checkSourceName(secretRef.name, place.child('secretRef'))
    if (configMapRef === undefined && secretRef === undefined) {
      at.invalid('', 'must specify one of: `configMapRef` or `secretRef`')
    } else if (configMapRef !== undefined && secretRef !== undefined) {
      at.invalid('', 'may not have more than one field specified at a time')
    }
  }
}

function checkSourceName(name = '', at: FieldPath): void {
  if (name === '') at.child('name').required()
  else at.child('name').invalidEach(name, nameRules.subdomain(name, true))
}
