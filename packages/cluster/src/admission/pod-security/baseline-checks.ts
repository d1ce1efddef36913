import type { Container, LifecycleHandler, Probe, SELinuxOptions } from 'setpoint/kinds'
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

const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/'

/** The default AppArmor profile may be replaced, but not disabled. */
export function appArmorProfile(pod: CheckedPod): Violation | undefined {
  const isBad = (type: string | undefined) => type !== 'RuntimeDefault' && type !== 'Localhost'
  const ofPod = pod.spec.securityContext?.appArmorProfile
  const profileOf = ({ securityContext }: Partial<Container>) => securityContext?.appArmorProfile
  const isPodBad = ofPod !== undefined && isBad(ofPod.type)
  const bad = containersOf(pod).filter((container) => {
    const profile = profileOf(container)
    return profile !== undefined && isBad(profile.type)
  })
  const annotations = Object.entries(pod.annotations)
    .filter(
      ([key, value]) =>
        key.startsWith(appArmorPrefix) && !/^(?:$|runtime\/default$|localhost\/)/.test(value),
    )
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .sort()
  const types = bad.map((container) => profileOf(container)?.type ?? '')
  const values = [...distinct(isPodBad ? [ofPod.type, ...types] : types), ...annotations]
  if (values.length === 0) return undefined
  const subjects = [
    setters(
      isPodBad,
      bad.map(({ name = '' }) => name),
    ),
  ].filter((text) => text !== '')
  if (annotations.length > 0) subjects.push(annotations.length === 1 ? 'annotation' : 'annotations')
  return {
    reason: `forbidden AppArmor profile${values.length === 1 ? '' : 's'}`,
    detail: `${subjects.join(' and ')} must not set AppArmor profile type to ${quoted(values)}`,
  }
}

const defaultCapabilities = new Set(
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(
    ' ',
  ),
)

/** Containers have at most the default capabilities of a runtime. */
export function capabilitiesBaseline(pod: CheckedPod): Violation | undefined {
  const added = ({ securityContext }: Partial<Container>) =>
    (securityContext?.capabilities?.add ?? []).filter((name) => !defaultCapabilities.has(name))
  const bad = namesWhere(pod, (container) => added(container).length > 0)
  if (bad.length === 0) return undefined
  const all = distinct(containersOf(pod).flatMap(added))
  return {
    reason: 'non-default capabilities',
    detail: `${counted('container', bad)} must not include ${quoted(all)} in securityContext.capabilities.add`,
  }
}

/** Pods share no namespaces of the host. */
export function hostNamespaces({ spec }: CheckedPod): Violation | undefined {
  const shared = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((field) => spec[field])
  if (shared.length === 0) return undefined
  return { reason: 'host namespaces', detail: shared.map((field) => `${field}=true`).join(', ') }
}

/** Pods mount no directories of the host. */
export function hostPathVolumes({ spec }: CheckedPod): Violation | undefined {
  const volumes = (spec.volumes ?? []).filter(({ hostPath }) => hostPath !== undefined)
  if (volumes.length === 0) return undefined
  const names = volumes.map(({ name }) => name)
  return { reason: 'hostPath volumes', detail: counted('volume', names) }
}

/** Containers use no ports of the host. */
export function hostPorts(pod: CheckedPod): Violation | undefined {
  const portsOf = ({ ports }: Partial<Container>) =>
    (ports ?? []).flatMap(({ hostPort = 0 }) => (hostPort === 0 ? [] : [String(hostPort)]))
  const bad = namesWhere(pod, (container) => portsOf(container).length > 0)
  if (bad.length === 0) return undefined
  const ports = distinct(containersOf(pod).flatMap(portsOf))
  const use = bad.length === 1 ? 'uses' : 'use'
  const noun = ports.length === 1 ? 'hostPort' : 'hostPorts'
  return {
    reason: 'hostPort',
    detail: `${counted('container', bad)} ${use} ${noun} ${ports.join(', ')}`,
  }
}

/** Probes and lifecycle hooks connect only to the pod itself. */
export function hostProbes(pod: CheckedPod): Violation | undefined {
  const hostsOf = (handler: Probe | LifecycleHandler | undefined) =>
    [handler?.httpGet?.host ?? '', handler?.tcpSocket?.host ?? ''].filter((host) => host !== '')
  const hostsIn = ({
    livenessProbe,
    readinessProbe,
    startupProbe,
    lifecycle,
  }: Partial<Container>) =>
    [livenessProbe, readinessProbe, startupProbe, lifecycle?.postStart, lifecycle?.preStop].flatMap(
      hostsOf,
    )
  const bad = distinct(namesWhere(pod, (container) => hostsIn(container).length > 0))
  if (bad.length === 0) return undefined
  const hosts = distinct(containersOf(pod).flatMap(hostsIn))
  const use = bad.length === 1 ? 'uses' : 'use'
  return {
    reason: 'probe or lifecycle host',
    detail: `${counted('container', bad)} ${use} ${counted('probe or lifecycle host', hosts)}`,
  }
}

/** Containers are not privileged. */
export function privileged(pod: CheckedPod): Violation | undefined {
  const bad = namesWhere(pod, ({ securityContext }) => securityContext?.privileged === true)
  if (bad.length === 0) return undefined
  const detail = `${counted('container', bad)} must not set securityContext.privileged=true`
  return { reason: 'privileged', detail }
}

/** The default masks of /proc are kept. */
export function procMount(pod: CheckedPod): Violation | undefined {
  const mountOf = ({ securityContext }: Partial<Container>) =>
    securityContext?.procMount ?? 'Default'
  const bad = namesWhere(pod, (container) => mountOf(container) !== 'Default')
  if (bad.length === 0) return undefined
  const mounts = distinct(
    containersOf(pod)
      .map(mountOf)
      .filter((mount) => mount !== 'Default'),
  )
  return {
    reason: 'procMount',
    detail: `${counted('container', bad)} must not set securityContext.procMount to ${quoted(mounts)}`,
  }
}

/** Containers keep the SELinux types that are made for containers. */
export function seLinuxOptions(
  pod: CheckedPod,
  allowedTypes: readonly string[],
): Violation | undefined {
  const badType = ({ type = '' }: SELinuxOptions) => type !== '' && !allowedTypes.includes(type)
  const isBad = (options: SELinuxOptions | undefined) =>
    options !== undefined &&
    (badType(options) || (options.user ?? '') !== '' || (options.role ?? '') !== '')
  const ofPod = pod.spec.securityContext?.seLinuxOptions
  const ofContainers = containersOf(pod).map(
    ({ securityContext }) => securityContext?.seLinuxOptions,
  )
  const all = [ofPod, ...ofContainers].filter((options) => options !== undefined)
  if (!all.some(isBad)) return undefined
  const bad = namesWhere(pod, ({ securityContext }) => isBad(securityContext?.seLinuxOptions))
  const types = distinct(all.filter(badType).map(({ type = '' }) => type))
  const data = [
    ...(types.length === 0 ? [] : [counted('type', types)]),
    ...(all.some(({ user = '' }) => user !== '') ? ['user may not be set'] : []),
    ...(all.some(({ role = '' }) => role !== '') ? ['role may not be set'] : []),
  ]
  return {
    reason: 'seLinuxOptions',
    detail: `${setters(isBad(ofPod), bad)} set forbidden securityContext.seLinuxOptions: ${data.join('; ')}`,
  }
}

const podSeccomp = 'seccomp.security.alpha.kubernetes.io/pod'
const containerSeccomp = 'container.seccomp.security.alpha.kubernetes.io/'

/** The seccomp profile is not disabled, in releases that had annotations for it. */
export function seccompAnnotations(pod: CheckedPod): Violation | undefined {
  const keys = [podSeccomp, ...containersOf(pod).map(({ name = '' }) => containerSeccomp + name)]
  const forbidden = keys.flatMap((key) => {
    const value = Object.hasOwn(pod.annotations, key) ? pod.annotations[key] : undefined
    const isFine =
      value === undefined || /^(?:(?:runtime|docker)\/default$|localhost\/)/.test(value)
    return isFine ? [] : [`${key}=${JSON.stringify(value)}`]
  })
  if (forbidden.length === 0) return undefined
  const found = distinct(forbidden)
  const noun = found.length === 1 ? 'annotation' : 'annotations'
  return { reason: 'seccompProfile', detail: `forbidden ${noun} ${found.join(', ')}` }
}

/** The seccomp profile is not disabled. */
export function seccompProfile(pod: CheckedPod): Violation | undefined {
  const isBad = (type: string | undefined) =>
    type !== undefined && type !== 'RuntimeDefault' && type !== 'Localhost'
  const ofPod = pod.spec.securityContext?.seccompProfile?.type
  const typeOf = ({ securityContext }: Partial<Container>) => securityContext?.seccompProfile?.type
  const bad = namesWhere(pod, (container) => isBad(typeOf(container)))
  const types = [ofPod, ...containersOf(pod).map(typeOf)].filter(isBad)
  if (types.length === 0) return undefined
  const values = quoted(distinct(types.map((type) => type ?? '')))
  return {
    reason: 'seccompProfile',
    detail: `${setters(isBad(ofPod), bad)} must not set securityContext.seccompProfile.type to ${values}`,
  }
}

/** Only namespaced sysctls are set. */
export function sysctls({ spec }: CheckedPod, allowed: readonly string[]): Violation | undefined {
  const names = (spec.securityContext?.sysctls ?? []).map(({ name }) => name)
  const forbidden = names.filter((name) => !allowed.includes(name))
  if (forbidden.length === 0) return undefined
  return { reason: 'forbidden sysctls', detail: forbidden.join(', ') }
}

/** No container is a HostProcess container on Windows. */
export function windowsHostProcess(pod: CheckedPod): Violation | undefined {
  const isPodBad = pod.spec.securityContext?.windowsOptions?.hostProcess === true
  const bad = namesWhere(
    pod,
    ({ securityContext }) => securityContext?.windowsOptions?.hostProcess === true,
  )
  if (!isPodBad && bad.length === 0) return undefined
  return {
    reason: 'hostProcess',
    detail: `${setters(isPodBad, bad)} must not set securityContext.windowsOptions.hostProcess=true`,
  }
}
