import type { JsonObject, JsonValue } from 'setpoint/schema'
import { metadataOf, nameOf } from '../../object/index.ts'
import { ageOf } from '../age.ts'
import { containerCells, type PodTemplate } from '../container-cells.ts'
import { labelsText, requirementsText, selectorText, type LabelSelector } from '../label-text.ts'
import type { CellPrinters } from '../row-printer.ts'

/** The workloads of the apps group, and replication controllers. */
export const workloadPrinters: CellPrinters = {
  'apps/controllerrevisions': controllerRevisionCells,
  'apps/daemonsets': daemonSetCells,
  'apps/deployments': deploymentCells,
  'apps/replicasets': replicaSetCells,
  'apps/statefulsets': statefulSetCells,
  '/podtemplates': podTemplateCells,
  '/replicationcontrollers': replicationControllerCells,
}

interface Workload<Selector = LabelSelector> {
  readonly spec?: {
    readonly replicas?: number
    readonly selector?: Selector
    readonly template?: PodTemplate
  }
  readonly status?: {
    readonly replicas?: number
    readonly readyReplicas?: number
    readonly updatedReplicas?: number
    readonly availableReplicas?: number
  }
}

function readyOfDesired({ spec, status }: Workload): string {
  return `${status?.readyReplicas ?? 0}/${spec?.replicas ?? 0}`
}

function deploymentCells(object: JsonObject, nowMs: number): JsonValue[] {
  const deployment = object as unknown as Workload
  return [
    nameOf(object),
    readyOfDesired(deployment),
    deployment.status?.updatedReplicas ?? 0,
    deployment.status?.availableReplicas ?? 0,
    ageOf(object, nowMs),
    ...containerCells(deployment.spec?.template),
    requirementsText(deployment.spec?.selector),
  ]
}

function statefulSetCells(object: JsonObject, nowMs: number): JsonValue[] {
  const set = object as unknown as Workload
  return [
    nameOf(object),
    readyOfDesired(set),
    ageOf(object, nowMs),
    ...containerCells(set.spec?.template),
  ]
}

function replicaCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { spec, status } = object as unknown as Workload
  return [
    nameOf(object),
    spec?.replicas ?? 0,
    status?.replicas ?? 0,
    status?.readyReplicas ?? 0,
    ageOf(object, nowMs),
    ...containerCells(spec?.template),
  ]
}

function replicaSetCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { spec } = object as unknown as Workload
  return [...replicaCells(object, nowMs), selectorText(spec?.selector)]
}

function replicationControllerCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { spec } = object as unknown as Workload<Record<string, string>>
  return [...replicaCells(object, nowMs), labelsText(spec?.selector)]
}

interface DaemonSet {
  readonly spec?: { readonly selector?: LabelSelector; readonly template?: PodTemplate }
  readonly status?: {
    readonly desiredNumberScheduled?: number
    readonly currentNumberScheduled?: number
    readonly numberReady?: number
    readonly updatedNumberScheduled?: number
    readonly numberAvailable?: number
  }
}

function daemonSetCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { spec, status } = object as unknown as DaemonSet
  return [
    nameOf(object),
    status?.desiredNumberScheduled ?? 0,
    status?.currentNumberScheduled ?? 0,
    status?.numberReady ?? 0,
    status?.updatedNumberScheduled ?? 0,
    status?.numberAvailable ?? 0,
    labelsText(spec?.template?.spec?.nodeSelector),
    ageOf(object, nowMs),
    ...containerCells(spec?.template),
    selectorText(spec?.selector),
  ]
}

function controllerRevisionCells(object: JsonObject, nowMs: number): JsonValue[] {
  const owner = metadataOf(object).ownerReferences?.find(({ controller }) => controller === true)
  return [
    nameOf(object),
    owner === undefined ? '<none>' : `${groupKind(owner)}/${owner.name}`,
    object['revision'] ?? 0,
    ageOf(object, nowMs),
  ]
}

function groupKind({ apiVersion, kind }: { apiVersion: string; kind: string }): string {
  const slash = apiVersion.indexOf('/')
  const text = slash < 0 ? kind : `${kind}.${apiVersion.slice(0, slash)}`
  return text.toLowerCase()
}

function podTemplateCells(object: JsonObject): JsonValue[] {
  const { template } = object as unknown as { readonly template?: PodTemplate }
  return [nameOf(object), ...containerCells(template), labelsText(template?.metadata?.labels)]
}
