import type { Container } from 'setpoint/kinds'
import { seccompProfile } from './baseline-checks.ts'
import {
  containersOf,
  counted,
  distinct,
  namesWhere,
  quoted,
  setters,
  type CheckedPod,
  type Violation,
} from './checked-pod.ts'

/** Processes cannot gain privileges. */
export function allowPrivilegeEscalation(pod: CheckedPod): Violation | undefined {
  const bad = namesWhere(
    pod,
    ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false,
  )
  if (bad.length === 0) return undefined
  return {
    reason: 'allowPrivilegeEscalation != false',
    detail: `${counted('container', bad)} must set securityContext.allowPrivilegeEscalation=false`,
  }
}

/** Containers drop all capabilities; they may add only NET_BIND_SERVICE. */
export function capabilitiesRestricted(pod: CheckedPod): Violation | undefined {
  const added = ({ securityContext }: Partial<Container>) =>
    (securityContext?.capabilities?.add ?? []).filter((name) => name !== 'NET_BIND_SERVICE')
  const keeping = namesWhere(
    pod,
    ({ securityContext }) => securityContext?.capabilities?.drop?.includes('ALL') !== true,
  )
  const adding = namesWhere(pod, (container) => added(container).length > 0)
  const details: string[] = []
  if (keeping.length > 0) {
    details.push(
      `${counted('container', keeping)} must set securityContext.capabilities.drop=["ALL"]`,
    )
  }
  if (adding.length > 0) {
    const all = quoted(distinct(containersOf(pod).flatMap(added)))
    details.push(
      `${counted('container', adding)} must not include ${all} in securityContext.capabilities.add`,
    )
  }
  if (details.length === 0) return undefined
  return { reason: 'unrestricted capabilities', detail: details.join('; ') }
}

const allowedVolumes = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
] as const

const otherVolumes = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'gitRepo',
  'nfs',
  'iscsi',
  'glusterfs',
  'rbd',
  'flexVolume',
  'cinder',
  'cephfs',
  'flocker',
  'fc',
  'azureFile',
  'vsphereVolume',
  'quobyte',
  'azureDisk',
  'photonPersistentDisk',
  'portworxVolume',
  'scaleIO',
  'storageos',
] as const

/** Volumes are of types that do not depend on the node or an external server. */
export function restrictedVolumes({ spec }: CheckedPod): Violation | undefined {
  const bad = (spec.volumes ?? []).filter((volume) =>
    allowedVolumes.every((type) => volume[type] === undefined),
  )
  if (bad.length === 0) return undefined
  const types = distinct(
    bad.map((volume) => otherVolumes.find((type) => volume[type] !== undefined) ?? 'unknown'),
  )
  const use = bad.length === 1 ? 'uses' : 'use'
  const names = bad.map(({ name }) => name)
  return {
    reason: 'restricted volume types',
    detail: `${counted('volume', names)} ${use} ${counted('restricted volume type', types)}`,
  }
}

/** The pod or all containers set runAsNonRoot, and no container overrides it. */
export function runAsNonRoot(pod: CheckedPod): Violation | undefined {
  const reason = 'runAsNonRoot != true'
  const ofPod = pod.spec.securityContext?.runAsNonRoot
  const ofContainer = ({ securityContext }: Partial<Container>) => securityContext?.runAsNonRoot
  const bad = namesWhere(pod, (container) => ofContainer(container) === false)
  if (ofPod === false || bad.length > 0) {
    const who = setters(ofPod === false, bad)
    return { reason, detail: `${who} must not set securityContext.runAsNonRoot=false` }
  }
  const silent = namesWhere(pod, (container) => ofContainer(container) === undefined)
  if (ofPod === true || silent.length === 0) return undefined
  return {
    reason,
    detail: `pod or ${counted('container', silent)} must set securityContext.runAsNonRoot=true`,
  }
}

/** The user is not root by its number. */
export function runAsUser(pod: CheckedPod): Violation | undefined {
  const isPodBad = pod.spec.securityContext?.runAsUser === 0
  const bad = namesWhere(pod, ({ securityContext }) => securityContext?.runAsUser === 0)
  if (!isPodBad && bad.length === 0) return undefined
  return { reason: 'runAsUser=0', detail: `${setters(isPodBad, bad)} must not set runAsUser=0` }
}

/** A seccomp profile is set. */
export function seccompRestricted(pod: CheckedPod): Violation | undefined {
  const wrong = seccompProfile(pod)
  if (wrong !== undefined || pod.spec.securityContext?.seccompProfile !== undefined) return wrong
  const silent = namesWhere(
    pod,
    ({ securityContext }) => securityContext?.seccompProfile === undefined,
  )
  if (silent.length === 0) return undefined
  return {
    reason: 'seccompProfile',
    detail: `pod or ${counted('container', silent)} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  }
}
