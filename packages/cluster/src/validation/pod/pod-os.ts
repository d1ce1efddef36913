import type { FieldPath } from '../go/field-path.ts'
import type { Spec } from './pod-options.ts'
import { visitContainers } from '../container/visit-containers.ts'

/** In the order of a real server's checks; some are fields of the spec itself. */
const linuxPodFields = [
  'appArmorProfile',
  'seLinuxOptions',
  'hostUsers',
  'hostPID',
  'hostIPC',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'shareProcessNamespace',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
] as const
const fieldsOfSpec: readonly string[] = ['hostUsers', 'hostPID', 'hostIPC', 'shareProcessNamespace']

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
  const { securityContext: context = {}, hostUsers, shareProcessNamespace } = spec
  const isSet: Readonly<Record<string, boolean>> = {
    hostUsers: hostUsers !== undefined,
    hostPID: spec.hostPID === true,
    hostIPC: spec.hostIPC === true,
    shareProcessNamespace: shareProcessNamespace !== undefined,
    sysctls: (context.sysctls ?? []).length > 0,
  }
  for (const field of linuxPodFields) {
    const place = fieldsOfSpec.includes(field) ? at : at.child('securityContext')
    if (isSet[field] ?? field in context) place.child(field).forbidden(detail)
  }
  visitContainers(spec, at, ({ securityContext }, place) => {
    if (securityContext === undefined) return
    for (const field of linuxContainerFields) {
      if (securityContext[field] === undefined) continue
      place.child('securityContext', field).forbidden(detail)
    }
  })
}
