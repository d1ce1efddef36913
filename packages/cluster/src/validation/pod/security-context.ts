import type { FieldPath } from '../go/field-path.ts'
import { printStruct } from '../go/go-struct.ts'
import { byteLength, idProblems } from '../fields/name-rules.ts'
import { checkLocalPath } from '../fields/path-rules.ts'
import type { Container, PodOptions, Spec } from './pod-options.ts'
import { checkWindowsOptions } from './windows-options.ts'

type PodContext = NonNullable<Spec['securityContext']>
type ContainerContext = NonNullable<Container['securityContext']>

const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined']

function checkSeccompProfile(profile: ContainerContext['seccompProfile'], at: FieldPath): void {
  if (profile === undefined) return
  const { type = '', localhostProfile } = profile
  if (type === '') at.child('type').required('type is required when seccompProfile is set')
  else if (!profileTypes.includes(type)) at.child('type').notSupported(type, profileTypes)
  const place = at.child('localhostProfile')
  if (type !== 'Localhost') {
    if (localhostProfile === undefined) return
    const printed = printStruct(profile, 'SeccompProfile')
    place.invalidPrinted(printed, 'can only be set when seccomp type is Localhost')
  } else if (localhostProfile === undefined) {
    place.required('must be set when seccomp type is Localhost')
  } else checkLocalPath(localhostProfile, place)
}

const appArmorNameMax = 4095

function checkAppArmorProfile(profile: ContainerContext['appArmorProfile'], at: FieldPath): void {
  if (profile === undefined) return
  const { type = '', localhostProfile: name } = profile
  const place = at.child('localhostProfile')
  if (type === 'Localhost') {
    if (name === undefined || name === '') {
      place.required('must be set when AppArmor type is Localhost')
    } else {
      if (name.trim() !== name) place.invalid(name, 'must not be padded with whitespace')
      if (byteLength(name) > appArmorNameMax) place.tooLong(appArmorNameMax)
    }
  } else if (type === '') {
    at.child('type').required('type is required when appArmorProfile is set')
  } else if (!profileTypes.includes(type)) at.child('type').notSupported(type, profileTypes)
  else if (name !== undefined) {
    place.invalid(name, 'can only be set when AppArmor type is Localhost')
  }
}

/** Checks the security context of a container. */
export function checkSecurityContext(
  context: ContainerContext,
  at: FieldPath,
  hostUsers: boolean,
): void {
  const { runAsUser, runAsGroup, procMount, capabilities, privileged } = context
  if (runAsUser !== undefined) at.child('runAsUser').invalidEach(runAsUser, idProblems(runAsUser))
  if (runAsGroup !== undefined) {
    at.child('runAsGroup').invalidEach(runAsGroup, idProblems(runAsGroup))
  }
  if (procMount !== undefined && procMount !== 'Default') {
    const place = at.child('procMount')
    if (procMount !== 'Unmasked') place.notSupported(procMount, ['Default', 'Unmasked'])
    else if (hostUsers) place.invalid(procMount, '`hostUsers` must be false to use `Unmasked`')
  }
  checkSeccompProfile(context.seccompProfile, at.child('seccompProfile'))
  if (context.allowPrivilegeEscalation === false) {
    const refuse = (what: string) =>
      at.invalidPrinted(
        printStruct(context, 'SecurityContext'),
        `cannot set \`allowPrivilegeEscalation\` to false and ${what}`,
      )
    if (privileged === true) refuse('`privileged` to true')
    for (const capability of capabilities?.add ?? []) {
      if (capability === 'CAP_SYS_ADMIN') refuse('`capabilities.Add` CAP_SYS_ADMIN')
    }
  }
  checkWindowsOptions(context.windowsOptions, at.child('windowsOptions'))
  checkAppArmorProfile(context.appArmorProfile, at.child('appArmorProfile'))
}

/** Checks the security context of a pod. */
export function checkPodSecurityContext(spec: Spec, at: FieldPath, options: PodOptions): void {
  const context = spec.securityContext ?? {}
  for (const field of ['fsGroup', 'runAsUser', 'runAsGroup'] as const) {
    const id = context[field]
    if (id !== undefined) at.child(field).invalidEach(id, idProblems(id))
  }
  for (const [index, id] of (context.supplementalGroups ?? []).entries()) {
    at.child('supplementalGroups').index(index).invalidEach(id, idProblems(id))
  }
  if (spec.shareProcessNamespace === true && spec.hostPID === true) {
    const detail = 'ShareProcessNamespace and HostPID cannot both be enabled'
    at.child('shareProcessNamespace').invalid(true, detail)
  }
  checkSysctls(spec, at.child('sysctls'), options)
  const choices = [
    ['fsGroupChangePolicy', ['Always', 'OnRootMismatch']],
    ['supplementalGroupsPolicy', ['Merge', 'Strict']],
    ['seLinuxChangePolicy', ['Recursive']],
  ] as const
  const checkChoice = ([field, supported]: (typeof choices)[number]) => {
    const value = context[field]
    if (value === undefined || (supported as readonly string[]).includes(value)) return
    at.child(field).notSupported(value, supported)
  }
  checkChoice(choices[0])
  checkSeccompProfile(context.seccompProfile, at.child('seccompProfile'))
  checkWindowsOptions(context.windowsOptions, at.child('windowsOptions'))
  checkAppArmorProfile(context.appArmorProfile, at.child('appArmorProfile'))
  checkChoice(choices[1])
  checkChoice(choices[2])
}

const sysctlPattern = '([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?'
const sysctlRegExp = new RegExp(`^${sysctlPattern}$`)

function checkSysctls(spec: Spec, at: FieldPath, options: PodOptions): void {
  const sysctls: NonNullable<PodContext['sysctls']> = spec.securityContext?.sysctls ?? []
  const seen = new Set<string>()
  for (const [index, { name = '' }] of sysctls.entries()) {
    const place = at.index(index).child('name')
    if (name === '') place.required()
    else if (byteLength(name) > 253 || !sysctlRegExp.test(name)) {
      place.invalid(name, `must have at most 253 characters and match regex ^${sysctlPattern}$`)
    } else if (seen.has(name)) place.duplicate(name)
    seen.add(name)
    if (options.allowHostSysctls === true) continue
    const namespace = sysctlNamespace(name)
    if (spec.hostNetwork === true && namespace === 'net') {
      place.invalid(name, "may not be specified when 'hostNetwork' is true")
    } else if (spec.hostIPC === true && namespace === 'ipc') {
      place.invalid(name, "may not be specified when 'hostIPC' is true")
    }
  }
}

/** The kernel namespace of a sysctl; dots and slashes may be swapped. */
function sysctlNamespace(name: string): 'net' | 'ipc' | undefined {
  const firstSeparator = /[./]/.exec(name)?.[0]
  const dotted = firstSeparator === '/' ? name.replaceAll('/', '.') : name
  if (dotted.startsWith('net.')) return 'net'
  return /^(kernel\.shm|kernel\.msg|fs\.mqueue\.)/.test(dotted) || dotted === 'kernel.sem'
    ? 'ipc'
    : undefined
}
