import type { JsonObject, JsonValue } from 'setpoint/schema'
import { metadataOf, nameOf } from '../../object/index.ts'
import { ageOf } from '../age.ts'
import type { CellPrinters } from '../row-printer.ts'

/** Nodes and runtime classes. */
export const nodePrinters: CellPrinters = {
  '/nodes': nodeCells,
  'node.k8s.io/runtimeclasses': runtimeClassCells,
}

interface Node {
  readonly spec?: { readonly unschedulable?: boolean }
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[]
    readonly addresses?: readonly { readonly type: string; readonly address: string }[]
    readonly nodeInfo?: {
      readonly kubeletVersion?: string
      readonly osImage?: string
      readonly kernelVersion?: string
      readonly containerRuntimeVersion?: string
      readonly architecture?: string
    }
  }
}

function nodeCells(object: JsonObject, nowMs: number): JsonValue[] {
  const node = object as unknown as Node
  const info = node.status?.nodeInfo ?? {}
  const architecture = info.architecture ?? ''
  return [
    nameOf(object),
    nodeStatus(node),
    nodeRoles(metadataOf(object).labels ?? {}),
    ageOf(object, nowMs),
    info.kubeletVersion ?? '',
    addressOf(node, 'InternalIP'),
    addressOf(node, 'ExternalIP'),
    orUnknown(info.osImage),
    orUnknown(info.kernelVersion) + (architecture === '' ? '' : ` (${architecture})`),
    orUnknown(info.containerRuntimeVersion),
  ]
}

function nodeStatus({ spec, status }: Node): string {
  const ready = status?.conditions?.findLast(({ type }) => type === 'Ready')
  const text = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'
  return spec?.unschedulable === true ? `${text},SchedulingDisabled` : text
}

const rolePrefix = 'node-role.kubernetes.io/'

/** Roles are in the keys of labels, and in the value of an older label. */
function nodeRoles(labels: Readonly<Record<string, string>>): string {
  const roles = Object.entries(labels).map(([key, value]) =>
    key.startsWith(rolePrefix)
      ? key.slice(rolePrefix.length)
      : key === 'kubernetes.io/role'
        ? value
        : '',
  )
  const known = [...new Set(roles.filter((role) => role !== ''))]
  return known.length === 0 ? '<none>' : known.sort().join(',')
}

function addressOf({ status }: Node, addressType: string): string {
  return status?.addresses?.find(({ type }) => type === addressType)?.address ?? '<none>'
}

function orUnknown(text: string | undefined): string {
  return text === undefined || text === '' ? '<unknown>' : text
}

function runtimeClassCells(object: JsonObject, nowMs: number): JsonValue[] {
  return [nameOf(object), object['handler'] ?? '', ageOf(object, nowMs)]
}
