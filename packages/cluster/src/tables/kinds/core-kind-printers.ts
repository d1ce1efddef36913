import type { JsonObject, JsonValue } from 'setpoint/schema'
import { nameOf } from '../../object/index.ts'
import { ageOf } from '../age.ts'
import type { CellPrinters } from '../row-printer.ts'

/** The kinds of the core group with few columns. */
export const coreKindPrinters: CellPrinters = {
  '/componentstatuses': componentStatusCells,
  '/configmaps': configMapCells,
  '/namespaces': namespaceCells,
  '/resourcequotas': resourceQuotaCells,
  '/secrets': secretCells,
  '/serviceaccounts': (object, nowMs) => [nameOf(object), ageOf(object, nowMs)],
}

interface ComponentStatus {
  readonly conditions?: readonly {
    readonly type: string
    readonly status: string
    readonly message?: string
    readonly error?: string
  }[]
}

function componentStatusCells(object: JsonObject): JsonValue[] {
  const { conditions = [] } = object as unknown as ComponentStatus
  const healthy = conditions.find(({ type }) => type === 'Healthy')
  const status =
    healthy === undefined ? 'Unknown' : healthy.status === 'True' ? 'Healthy' : 'Unhealthy'
  return [nameOf(object), status, healthy?.message ?? '', healthy?.error ?? '']
}

interface WithData {
  readonly type?: string
  readonly data?: object
  readonly binaryData?: object
}

function configMapCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { data = {}, binaryData = {} } = object as unknown as WithData
  const entries = Object.keys(data).length + Object.keys(binaryData).length
  return [nameOf(object), entries, ageOf(object, nowMs)]
}

function secretCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { type = '', data = {} } = object as unknown as WithData
  return [nameOf(object), type, Object.keys(data).length, ageOf(object, nowMs)]
}

function namespaceCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { status } = object as unknown as { readonly status?: { readonly phase?: string } }
  return [nameOf(object), status?.phase ?? '', ageOf(object, nowMs)]
}

interface ResourceQuota {
  readonly status?: {
    readonly hard?: Readonly<Record<string, string>>
    readonly used?: Readonly<Record<string, string>>
  }
}

/** Limits have their own column. */
function resourceQuotaCells(object: JsonObject, nowMs: number): JsonValue[] {
  const { hard = {}, used = {} } = (object as unknown as ResourceQuota).status ?? {}
  const resources = Object.keys(hard).sort()
  const text = (names: readonly string[]): string =>
    names.map((name) => `${name}: ${used[name] ?? '0'}/${hard[name] ?? '0'}`).join(', ')
  return [
    nameOf(object),
    text(resources.filter((name) => !name.startsWith('limits.'))),
    text(resources.filter((name) => name.startsWith('limits.'))),
    ageOf(object, nowMs),
  ]
}
