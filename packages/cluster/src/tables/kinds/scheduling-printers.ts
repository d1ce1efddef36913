import type { JsonObject, JsonValue } from 'setpoint/schema'
import { isTerminating, nameOf } from '../../object/index.ts'
import { ageOf } from '../age.ts'
import type { CellPrinters } from '../row-printer.ts'

/** Leases, priority classes, disruption budgets and device kinds. */
export const schedulingPrinters: CellPrinters = {
  'coordination.k8s.io/leases': leaseCells,
  'policy/poddisruptionbudgets': disruptionBudgetCells,
  'resource.k8s.io/deviceclasses': (object, nowMs) => [nameOf(object), ageOf(object, nowMs)],
  'resource.k8s.io/resourceclaims': resourceClaimCells,
  'resource.k8s.io/resourceclaimtemplates': (object, nowMs) => [
    nameOf(object),
    ageOf(object, nowMs),
  ],
  'resource.k8s.io/resourceslices': resourceSliceCells,
  'scheduling.k8s.io/priorityclasses': priorityClassCells,
}

function leaseCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { spec } = object as unknown as { readonly spec?: { readonly holderIdentity?: string } }
  return [nameOf(object), spec?.holderIdentity ?? '', ageOf(object, nowMs)]
}

interface DisruptionBudget {
  readonly spec?: {
    readonly minAvailable?: number | string
    readonly maxUnavailable?: number | string
  }
  readonly status?: { readonly disruptionsAllowed?: number }
}

function disruptionBudgetCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { spec, status } = object as unknown as DisruptionBudget
  return [
    nameOf(object),
    spec?.minAvailable?.toString() ?? 'N/A',
    spec?.maxUnavailable?.toString() ?? 'N/A',
    status?.disruptionsAllowed ?? 0,
    ageOf(object, nowMs),
  ]
}

interface ResourceClaim {
  readonly status?: {
    readonly allocation?: object
    readonly reservedFor?: readonly object[]
  }
}

function resourceClaimCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { status } = object as unknown as ResourceClaim
  const states: string[] = []
  if (isTerminating(object)) states.push('deleted')
  if (status?.allocation !== undefined) {
    states.push('allocated')
    if ((status.reservedFor ?? []).length > 0) states.push('reserved')
  } else if (!isTerminating(object)) states.push('pending')
  return [nameOf(object), states.join(','), ageOf(object, nowMs)]
}

interface ResourceSlice {
  readonly spec?: {
    readonly nodeName?: string
    readonly driver?: string
    readonly pool?: { readonly name?: string }
  }
}

function resourceSliceCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { spec } = object as unknown as ResourceSlice
  return [
    nameOf(object),
    spec?.nodeName ?? '',
    spec?.driver ?? '',
    spec?.pool?.name ?? '',
    ageOf(object, nowMs),
  ]
}

function priorityClassCells(object: JsonObject, nowMs: number): JsonValue[] {
  return [
    nameOf(object),
    object['value'] ?? 0,
    object['globalDefault'] ?? false,
    ageOf(object, nowMs),
    object['preemptionPolicy'] ?? '',
  ]
}
