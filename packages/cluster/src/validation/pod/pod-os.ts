import type { FieldPath } from '../go/field-path.ts'
import type { Spec } from './pod-options.ts'
import { visitContainers } from '../container/visit-containers.ts'

const linuxPodFields = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
] as const

const linuxContainerFields = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const

/** Checks that a pod for one operating system has no fields of the other. */
export function checkPodOs(spec: Spec, at: FieldPath): void {
  if (spec.os === undefined) return
  const { name = '' } = spec.os
  if (name === '') at.child('os', 'name').required()
  else if (name === 'linux') forbidWindowsOptions(spec, at)
  else if (name === 'windows') forbidLinuxFields(spec, at)
  else at.child('os').notSupported(name, ['linux', 'windows'])
}

function forbidWindowsOptions(spec: Spec, at: FieldPath): void {
  const detail = 'windows options cannot be set for a linux pod'
  if (spec.securityContext?.windowsOptions !== undefined) {
    at.child('securityContext', 'windowsOptions').forbidden(detail)
  }
  visitContainers(spec, at, ({ securityContext }, place) => {
    if (securityContext?.windowsOptions === undefined) return
    place.child('securityContext', 'windowsOptions').forbidden(detail)
  })
}

function forbidLinuxFields(spec: Spec, at: FieldPath): void {
  const detail = 'cannot be set for a windows pod'
  const context = spec.securityContext ?? {}
  const securityAt = at.child('securityContext')
  for (const field of linuxPodFields) {
    const value = context[field]
    const isEmpty = field === 'sysctls' && Array.isArray(value) && value.length === 0
    if (value !== undefined && !isEmpty) securityAt.child(field).forbidden(detail)
  }
  if (spec.hostUsers !== undefined) securityAt.child('hostUsers').forbidden(detail)
  if (spec.hostPID === true) securityAt.child('hostPID').forbidden(detail)
  if (spec.hostIPC === true) securityAt.child('hostIPC').forbidden(detail)
  if (spec.shareProcessNamespace !== undefined) {
    securityAt.child('shareProcessNamespace').forbidden(detail)
  }
  visitContainers(spec, at, ({ securityContext }, place) => {
    if (securityContext === undefined) return
    for (const field of linuxContainerFields) {
      if (securityContext[field] === undefined) continue
      place.child('securityContext', field).forbidden(detail)
    }
  })
}
