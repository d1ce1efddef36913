import {
  appArmorProfile,
  capabilitiesBaseline,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  hostProbes,
  privileged,
  procMount,
  seccompAnnotations,
  seccompProfile,
  seLinuxOptions,
  sysctls,
  windowsHostProcess,
} from './baseline-checks.ts'
import type { CheckedPod, Violation } from './checked-pod.ts'
import type { LevelVersion } from './policy.ts'
import {
  allowPrivilegeEscalation,
  capabilitiesRestricted,
  restrictedVolumes,
  runAsNonRoot,
  runAsUser,
  seccompRestricted,
} from './restricted-checks.ts'

type Find = (pod: CheckedPod) => Violation | undefined

/** A check and the releases (minor versions) in which its form changed. */
interface Check {
  readonly id: string
  readonly versions: readonly (readonly [since: number, find: Find])[]
  /** The baseline check that it replaces. */
  readonly replaces?: string
}

const seLinuxTypes = ['container_t', 'container_init_t', 'container_kvm_t']
const sysctls0 = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
]
const sysctls27 = [...sysctls0, 'net.ipv4.ip_local_reserved_ports']
const sysctls29 = [
  ...sysctls27,
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
]
const sysctls32 = [...sysctls29, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem']

/** With a user namespace, the users of the pod are not those of the node. */
function unlessUserNamespace(find: Find): Find {
  return (pod) => (pod.spec.hostUsers === false ? undefined : find(pod))
}

function unlessWindows(find: Find): Find {
  return (pod) => (pod.spec.os?.name === 'windows' ? undefined : find(pod))
}

const baseline: readonly Check[] = [
  { id: 'appArmorProfile', versions: [[0, appArmorProfile]] },
  { id: 'capabilities_baseline', versions: [[0, capabilitiesBaseline]] },
  { id: 'hostNamespaces', versions: [[0, hostNamespaces]] },
  { id: 'hostPathVolumes', versions: [[0, hostPathVolumes]] },
  { id: 'hostPorts', versions: [[0, hostPorts]] },
  { id: 'hostProbesAndHostLifecycle', versions: [[34, hostProbes]] },
  { id: 'privileged', versions: [[0, privileged]] },
  {
    id: 'procMount',
    versions: [
      [0, procMount],
      [35, unlessUserNamespace(procMount)],
    ],
  },
  {
    id: 'seLinuxOptions',
    versions: [
      [0, (pod) => seLinuxOptions(pod, seLinuxTypes)],
      [31, (pod) => seLinuxOptions(pod, [...seLinuxTypes, 'container_engine_t'])],
    ],
  },
  {
    id: 'seccompProfile_baseline',
    versions: [
      [0, seccompAnnotations],
      [19, seccompProfile],
    ],
  },
  {
    id: 'sysctls',
    versions: [
      [0, (pod) => sysctls(pod, sysctls0)],
      [27, (pod) => sysctls(pod, sysctls27)],
      [29, (pod) => sysctls(pod, sysctls29)],
      [32, (pod) => sysctls(pod, sysctls32)],
    ],
  },
  { id: 'windowsHostProcess', versions: [[0, windowsHostProcess]] },
]

const restricted: readonly Check[] = [
  {
    id: 'allowPrivilegeEscalation',
    versions: [
      [8, allowPrivilegeEscalation],
      [25, unlessWindows(allowPrivilegeEscalation)],
    ],
  },
  {
    id: 'capabilities_restricted',
    versions: [
      [22, capabilitiesRestricted],
      [25, unlessWindows(capabilitiesRestricted)],
    ],
    replaces: 'capabilities_baseline',
  },
  { id: 'procMount_restricted', versions: [[35, procMount]], replaces: 'procMount' },
  { id: 'restrictedVolumes', versions: [[0, restrictedVolumes]], replaces: 'hostPathVolumes' },
  {
    id: 'runAsNonRoot',
    versions: [
      [0, runAsNonRoot],
      [35, unlessUserNamespace(runAsNonRoot)],
    ],
  },
  {
    id: 'runAsUser',
    versions: [
      [23, runAsUser],
      [35, unlessUserNamespace(runAsUser)],
    ],
  },
  {
    id: 'seccompProfile_restricted',
    versions: [
      [19, seccompRestricted],
      [25, unlessWindows(seccompRestricted)],
    ],
    replaces: 'seccompProfile_baseline',
  },
]

function findersSince(checks: readonly Check[], minor: number): Find[] {
  return checks.flatMap(({ versions }) => {
    const last = versions.findLast(([since]) => since <= minor)
    return last === undefined ? [] : [last[1]]
  })
}

/** The violations of a level by a pod, in the order of a real server. */
export function violationsOf({ level, minor }: LevelVersion, pod: CheckedPod): Violation[] {
  if (level === 'privileged') return []
  const applying = level === 'restricted' ? restricted : []
  const replaced = applying
    .filter(({ versions }) => versions.some(([since]) => since <= minor))
    .map(({ replaces }) => replaces)
  const kept = baseline.filter(({ id }) => !replaced.includes(id))
  return [...findersSince(kept, minor), ...findersSince(applying, minor)].flatMap((find) => {
    const violation = find(pod)
    return violation === undefined ? [] : [violation]
  })
}
