/** Annotations of pods that were replaced by fields, and must agree with them. */
import { ownValue } from '../../object/index.ts'
import type { FieldPath } from '../go/field-path.ts'
import { isDeletionCost, deletionCostKey, type PodOptions, type Spec } from './pod-options.ts'
import type { TextMap } from '../fields/check-label-selector.ts'
import { checkLocalPath } from '../fields/path-rules.ts'
import { visitContainers } from '../container/visit-containers.ts'

const mirrorKey = 'kubernetes.io/config.mirror'
const seccompPodKey = 'seccomp.security.alpha.kubernetes.io/pod'
const seccompPrefix = 'container.seccomp.security.alpha.kubernetes.io/'
const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/'

/** Whether the pod is the mirror of a static pod of a kubelet. */
export function isMirrorPod(annotations: TextMap = {}): boolean {
  return Object.hasOwn(annotations, mirrorKey)
}

/** The annotations of a pod or a template with its spec. */
interface AnnotatedSpec {
  readonly annotations: TextMap | undefined
  readonly spec: Spec
}

/** Checks the values of known annotations. */
export function checkPodAnnotations(
  { annotations = {}, spec }: AnnotatedSpec,
  at: FieldPath,
  options: PodOptions,
): void {
  if (isMirrorPod(annotations) && (spec.nodeName ?? '') === '') {
    const detail = 'must set spec.nodeName if mirror pod annotation is set'
    at.key(mirrorKey).invalid(annotations[mirrorKey], detail)
  }
  const cost = annotations[deletionCostKey]
  if (options.allowInvalidDeletionCost !== true && !isDeletionCost(cost)) {
    at.key(deletionCostKey).invalid(cost, 'must be a 32bit integer')
  }
  for (const [key, value = ''] of Object.entries(annotations)) {
    if (key === seccompPodKey || key.startsWith(seccompPrefix)) {
      checkSeccompAnnotation(value, at.child(key))
    }
  }
  for (const [key, value = ''] of Object.entries(annotations)) {
    if (!key.startsWith(appArmorPrefix)) continue
    const name = key.slice(appArmorPrefix.length)
    if (!hasContainer(spec, name)) at.key(key).invalid(name, 'container not found')
    const isKnown = ['', 'runtime/default', 'unconfined'].includes(value)
    if (!isKnown && !value.startsWith('localhost/')) {
      at.key(key).invalid(value, `invalid AppArmor profile name: "${value}"`)
    }
  }
}

function hasContainer(spec: Spec, name: string): boolean {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = spec
  return [...initContainers, ...containers, ...ephemeralContainers].some(
    (container) => container.name === name,
  )
}

function checkSeccompAnnotation(profile: string, at: FieldPath): void {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return
  if (profile.startsWith('localhost/')) checkLocalPath(profile.slice('localhost/'.length), at)
  else at.invalid(profile, 'must be a valid seccomp profile')
}

interface Profile {
  readonly type?: string
  readonly localhostProfile?: string
}

/** Reports a profile that differs from its deprecated annotation. */
function checkSame(
  annotation: string | undefined,
  profile: Profile | undefined,
  { at, what, defaults }: { at: FieldPath; what: string; defaults: readonly string[] },
): void {
  if (annotation === undefined || profile === undefined) return
  const differs = `${what} type in annotation and field must match`
  const { type, localhostProfile } = profile
  if (type === 'Unconfined' && annotation !== 'unconfined') at.child('type').forbidden(differs)
  if (type === 'RuntimeDefault' && !defaults.includes(annotation)) {
    at.child('type').forbidden(differs)
  }
  if (type !== 'Localhost') return
  if (!annotation.startsWith('localhost/')) at.child('type').forbidden(differs)
  else if (annotation.slice('localhost/'.length) !== localhostProfile) {
    const detail = `${what} profile in annotation and field must match`
    at.child('localhostProfile').forbidden(detail)
  }
}

/** Compares seccomp and AppArmor annotations with the fields that replaced them. */
export function checkProfileAnnotations(
  { annotations = {}, spec }: AnnotatedSpec,
  at: FieldPath,
): void {
  const seccomp = { what: 'seccomp', defaults: ['runtime/default', 'docker/default'] }
  const podContext = spec.securityContext
  checkSame(annotations[seccompPodKey], podContext?.seccompProfile, {
    ...seccomp,
    at: at.child('securityContext', 'seccompProfile'),
  })
  visitContainers(spec, at, ({ name = '', securityContext }, place) => {
    checkSame(annotations[seccompPrefix + name], securityContext?.seccompProfile, {
      ...seccomp,
      at: place.child('securityContext', 'seccompProfile'),
    })
  })
  if (spec.os?.name === 'windows') return
  visitContainers(spec, at, ({ name = '', securityContext }, place) => {
    const profile = securityContext?.appArmorProfile ?? podContext?.appArmorProfile
    checkSame(annotations[appArmorPrefix + name], profile, {
      what: 'apparmor',
      defaults: ['runtime/default'],
      at: place.child('securityContext', 'appArmorProfile'),
    })
  })
}

/** Some annotations are immutable after the pod was created. */
export function checkPodAnnotationUpdate(
  annotations: TextMap = {},
  old: TextMap = {},
  at: FieldPath,
): void {
  const what = (key: string) =>
    key.startsWith(appArmorPrefix)
      ? 'AppArmor annotations'
      : key === mirrorKey
        ? 'mirror pod annotation'
        : undefined
  for (const [key, value] of Object.entries(old)) {
    const name = what(key)
    if (name === undefined || ownValue(annotations, key) === value) continue
    at.key(key).forbidden(`may not remove or update ${name}`)
  }
  for (const key of Object.keys(annotations)) {
    const name = what(key)
    if (name !== undefined && !Object.hasOwn(old, key)) at.key(key).forbidden(`may not add ${name}`)
  }
}
