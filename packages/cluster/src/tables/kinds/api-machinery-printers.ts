import type { JsonObject, JsonValue } from 'setpoint/schema'
import { nameOf } from '../../object/index.ts'
import { ageOf } from '../age.ts'
import type { CellPrinters } from '../row-printer.ts'

/** API services, flow schemas and priority levels. */
export const apiMachineryPrinters: CellPrinters = {
  'apiregistration.k8s.io/apiservices': apiServiceCells,
  'flowcontrol.apiserver.k8s.io/flowschemas': flowSchemaCells,
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': priorityLevelCells,
}

interface Condition {
  readonly type: string
  readonly status: string
  readonly reason?: string
}

interface ApiService {
  readonly spec?: { readonly service?: { readonly namespace?: string; readonly name?: string } }
  readonly status?: { readonly conditions?: readonly Condition[] }
}

function apiServiceCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { spec, status } = object as unknown as ApiService
  const service = spec?.service
  return [
    nameOf(object),
    service === undefined ? 'Local' : `${service.namespace ?? ''}/${service.name ?? ''}`,
    availability(status?.conditions?.find(({ type }) => type === 'Available')),
    ageOf(object, nowMs),
  ]
}

function availability(condition: Condition | undefined): string {
  if (condition === undefined) return 'Unknown'
  const { status, reason = '' } = condition
  return status === 'True' || reason === '' ? status : `${status} (${reason})`
}

interface FlowSchema {
  readonly spec?: {
    readonly priorityLevelConfiguration?: { readonly name?: string }
    readonly matchingPrecedence?: number
    readonly distinguisherMethod?: { readonly type?: string }
  }
  readonly status?: { readonly conditions?: readonly Condition[] }
}

/** Flow schemas are matched, and shown, in this order. */
export function byPrecedence(one: JsonObject, other: JsonObject): number {
  const [first, second] = [one, other].map(
    (object) => (object as unknown as FlowSchema).spec?.matchingPrecedence ?? 0,
  )
  if (first !== second) return (first ?? 0) - (second ?? 0)
  return nameOf(one) < nameOf(other) ? -1 : 1
}

function flowSchemaCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { spec, status } = object as unknown as FlowSchema
  return [
    nameOf(object),
    spec?.priorityLevelConfiguration?.name ?? '',
    spec?.matchingPrecedence ?? 0,
    spec?.distinguisherMethod?.type ?? '<none>',
    ageOf(object, nowMs),
    status?.conditions?.find(({ type }) => type === 'Dangling')?.status ?? '?',
  ]
}

interface PriorityLevel {
  readonly spec?: {
    readonly type?: string
    readonly limited?: {
      readonly nominalConcurrencyShares?: number
      readonly limitResponse?: {
        readonly queuing?: {
          readonly queues?: number
          readonly handSize?: number
          readonly queueLengthLimit?: number
        }
      }
    }
  }
}

function priorityLevelCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { spec } = object as unknown as PriorityLevel
  const limited = spec?.limited
  const queuing = limited?.limitResponse?.queuing
  const none = '<none>'
  return [
    nameOf(object),
    spec?.type ?? '',
    limited === undefined ? none : (limited.nominalConcurrencyShares ?? 0),
    queuing === undefined ? none : (queuing.queues ?? 0),
    queuing === undefined ? none : (queuing.handSize ?? 0),
    queuing === undefined ? none : (queuing.queueLengthLimit ?? 0),
    ageOf(object, nowMs),
  ]
}
