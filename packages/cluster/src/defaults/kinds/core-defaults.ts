import type {
  EndpointPort,
  LimitRangeItem,
  Namespace,
  NamespaceStatus,
  NodeSpec,
  NodeStatus,
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  ReplicationController,
  Secret,
} from 'setpoint/kinds'
import type { JsonObject } from 'setpoint/schema'
import { fieldsSentEmpty } from '../../codec/index.ts'
import { withMissingQuantities } from '../resource-quantities.ts'
import { inPackage, typed, type TypeDefaults } from '../type-defaults.ts'

type Amounts = Record<string, string>

function fillReplicationController({ metadata, spec }: ReplicationController): void {
  const labels = spec.template?.metadata?.labels
  if (labels !== undefined) {
    if (Object.keys(spec.selector ?? {}).length === 0) spec.selector = { ...labels }
    if (Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = { ...labels }
  }
  spec.replicas ??= 1
}

/**
 * `stringData` is write-only: its values are encoded and replace those of the same key in `data`.
 */
function fillSecret(secret: Secret): void {
  secret.type ??= 'Opaque'
  if (secret.stringData === undefined) return
  const texts = Object.entries(secret.stringData)
  delete secret.stringData
  if (texts.length === 0) return
  const encoded = texts.map(([key, text]): [string, string] => [key, base64OfText(text)])
  secret.data = Object.fromEntries([...Object.entries(secret.data ?? {}), ...encoded])
}

function base64OfText(text: string): string {
  const bytes = new TextEncoder().encode(text)
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

function fillPersistentVolume({ spec, status }: PersistentVolume): void {
  if (status !== undefined) status.phase ??= 'Pending'
  spec.persistentVolumeReclaimPolicy ??= 'Retain'
  spec.volumeMode ??= 'Filesystem'
}

/** A namespace can be selected by its name. */
export function labelNamespace({ metadata }: Namespace): void {
  const { name } = metadata as { name?: string }
  if (name === undefined) return
  metadata.labels = { ...metadata.labels, 'kubernetes.io/metadata.name': name }
}

function fillNodeStatus(status: NodeStatus): void {
  const isSentEmpty = Object.hasOwn(fieldsSentEmpty(status as JsonObject) ?? {}, 'allocatable')
  if (status.capacity !== undefined && !isSentEmpty) status.allocatable ??= { ...status.capacity }
}

/** `podCIDR` is the first of `podCIDRs`. */
function mirrorPodCidr(spec: NodeSpec): void {
  const { podCIDR, podCIDRs = [] } = spec
  if (podCIDR !== undefined && podCIDRs[0] !== podCIDR) spec.podCIDRs = [podCIDR]
  const first = spec.podCIDRs?.[0]
  if (first !== undefined) spec.podCIDR = first
}

function fillLimitRangeItem(item: LimitRangeItem): void {
  if (item.type !== 'Container') return
  const limits = withMissingQuantities(item.default, item.max)
  const ofLimits = withMissingQuantities(item.defaultRequest, limits)
  const requests = withMissingQuantities(ofLimits, item.min)
  if (limits !== undefined) item.default = limits as Amounts
  if (requests !== undefined) item.defaultRequest = requests as Amounts
}

/** The core group, without pods, volumes and services. */
export const coreDefaults: TypeDefaults = inPackage('k8s.io.api.core.v1', {
  ReplicationController: typed<ReplicationController>(fillReplicationController),
  Secret: typed<Secret>(fillSecret),
  PersistentVolume: typed<PersistentVolume>(fillPersistentVolume),
  PersistentVolumeClaim: typed<PersistentVolumeClaim>((claim) => {
    claim.status ??= {}
    claim.status.phase ??= 'Pending'
  }),
  PersistentVolumeClaimSpec: typed<PersistentVolumeClaimSpec>((spec) => {
    spec.volumeMode ??= 'Filesystem'
  }),
  EndpointPort: typed<EndpointPort>((port) => {
    port.protocol ??= 'TCP'
  }),
  Namespace: typed<Namespace>(labelNamespace),
  NamespaceStatus: typed<NamespaceStatus>((status) => {
    status.phase ??= 'Active'
  }),
  NodeSpec: typed<NodeSpec>(mirrorPodCidr),
  NodeStatus: typed<NodeStatus>(fillNodeStatus),
  LimitRangeItem: typed<LimitRangeItem>(fillLimitRangeItem),
})
