import type { Node, NodeCondition, NodeStatus } from 'setpoint/kinds'
import { formatTime } from '../object/index.ts'
import { hexDigest } from './pod-lifecycle/index.ts'
import type { SimulatedNode } from './node-options.ts'

/** The Node object that its kubelet registers. */
export function nodeObject(
  node: SimulatedNode,
  nowMs: number,
): Pick<Node, 'spec' | 'status'> & {
  metadata: { name: string; labels: Record<string, string>; annotations: Record<string, string> }
} {
  const { name, podCIDR, options } = node
  const { labels = {}, taints = [] } = options
  return {
    metadata: {
      name,
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        ...labels,
      },
      annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
    },
    spec: {
      podCIDR,
      podCIDRs: [podCIDR],
      ...(taints.length === 0 ? {} : { taints: taints.map((taint) => ({ ...taint })) }),
    },
    status: nodeStatus(node, nowMs),
  }
}

function nodeStatus({ name, hostIP, options }: SimulatedNode, nowMs: number): NodeStatus {
  const { cpu = '8', memory = '16Gi', pods = 110, ephemeralStorage = '100Gi' } = options
  const capacity = {
    cpu,
    'ephemeral-storage': ephemeralStorage,
    'hugepages-1Gi': '0',
    'hugepages-2Mi': '0',
    memory,
    pods: String(pods),
    ...options.extended,
  }
  const features = { recursiveReadOnlyMounts: true, userNamespaces: true }
  return {
    addresses: [
      { type: 'InternalIP', address: hostIP },
      { type: 'Hostname', address: name },
    ],
    capacity,
    allocatable: { ...capacity },
    conditions: conditions(formatTime(nowMs)),
    daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
    features: { supplementalGroupsPolicy: true },
    nodeInfo: {
      architecture: 'amd64',
      bootID: uuidOf(`${name}/boot`),
      containerRuntimeVersion: 'containerd://2.2.0',
      kernelVersion: '6.12.0',
      kubeProxyVersion: '',
      kubeletVersion: 'v1.36.3',
      machineID: hexDigest(`${name}/machine`, 32),
      operatingSystem: 'linux',
      osImage: 'Setpoint',
      systemUUID: uuidOf(`${name}/system`),
    },
    runtimeHandlers: [
      { name: '', features },
      { name: 'runc', features },
    ],
  }
}

/** The conditions of a healthy node. */
function conditions(time: string): NodeCondition[] {
  const fine: [type: string, status: string, reason: string, message: string][] = [
    ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'has sufficient memory available'],
    ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'has no disk pressure'],
    ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'has sufficient PID available'],
    ['Ready', 'True', 'KubeletReady', 'is posting ready status'],
  ]
  return fine.map(([type, status, reason, message]) => ({
    type,
    status,
    reason,
    message: `kubelet ${message}`,
    lastHeartbeatTime: time,
    lastTransitionTime: time,
  }))
}

function uuidOf(seed: string): string {
  const hex = hexDigest(seed, 32)
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5')
}
