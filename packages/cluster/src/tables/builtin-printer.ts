import type { JsonObject } from 'setpoint/schema'
import { builtinData } from '../data/index.ts'
import { metadataOf, nameOf } from '../object/index.ts'
import { admissionPrinters } from './admission.ts'
import { apiMachineryPrinters, byPrecedence } from './api-machinery.ts'
import { autoscalerPrinters } from './autoscaler.ts'
import { batchPrinters } from './batch.ts'
import { certificatePrinters } from './certificates.ts'
import { coreKindPrinters } from './core-kinds.ts'
import { endpointsPrinters } from './endpoints.ts'
import { eventPrinters } from './event.ts'
import { networkingPrinters } from './networking.ts'
import { nodePrinters } from './node.ts'
import { persistentVolumePrinters } from './persistent-volumes.ts'
import { podConditions, podPrinters } from './pod.ts'
import { rbacPrinters } from './rbac.ts'
import type { CellPrinter, CellPrinters } from './row-printer.ts'
import { schedulingPrinters } from './scheduling.ts'
import { servicePrinters } from './service.ts'
import { storagePrinters } from './storage.ts'
import type { ColumnDefinition, PrintedRow, TablePrinter } from './table.ts'
import { nameDescription } from './name-column.ts'
import { workloadPrinters } from './workloads.ts'

const printers: CellPrinters = {
  ...admissionPrinters,
  ...apiMachineryPrinters,
  ...autoscalerPrinters,
  ...batchPrinters,
  ...certificatePrinters,
  ...coreKindPrinters,
  ...endpointsPrinters,
  ...eventPrinters,
  ...networkingPrinters,
  ...nodePrinters,
  ...persistentVolumePrinters,
  ...podPrinters,
  ...rbacPrinters,
  ...schedulingPrinters,
  ...servicePrinters,
  ...storagePrinters,
  ...workloadPrinters,
}

/** A built-in resource in one version. */
interface BuiltinResource {
  readonly group: string
  readonly version: string
  readonly plural: string
}

const memo = new Map<string, TablePrinter>()

/** How a built-in resource is printed; without a printer of its own, by name and time of creation. */
export function builtinPrinter({ group, version, plural }: BuiltinResource): TablePrinter {
  const key = `${group === '' ? version : `${group}/${version}`}/${plural}`
  const known = memo.get(key)
  if (known !== undefined) return known
  const printer = makePrinter(key, `${group}/${plural}`)
  memo.set(key, printer)
  return printer
}

function makePrinter(key: string, resource: string): TablePrinter {
  const cells = printers[resource]
  const columns = columnsOf(key)
  if (cells === undefined || columns === undefined) {
    return { columns: columns ?? anyColumns, row: (object) => ({ cells: anyCells(object, 0) }) }
  }
  if (resource === '/pods') return { columns, row: (...args) => podRow(cells, ...args) }
  const row = (object: JsonObject, nowMs: number): PrintedRow => ({ cells: cells(object, nowMs) })
  const isOrdered = resource === 'flowcontrol.apiserver.k8s.io/flowschemas'
  return isOrdered ? { columns, row, order: byPrecedence } : { columns, row }
}

function podRow(cells: CellPrinter, object: JsonObject, nowMs: number): PrintedRow {
  const conditions = podConditions(object)
  const row = { cells: cells(object, nowMs) }
  return conditions === undefined ? row : { ...row, conditions }
}

function columnsOf(key: string): ColumnDefinition[] | undefined {
  return builtinData.tableColumns()[key]?.columns.map(({ name, type, format, priority }) => ({
    name,
    type,
    format,
    description: name === 'Name' ? nameDescription : '',
    priority,
  }))
}

const anyColumns: readonly ColumnDefinition[] = [
  { name: 'Name', type: 'string', format: 'name', description: nameDescription, priority: 0 },
  { name: 'Created At', type: 'date', format: '', description: '', priority: 0 },
]

const anyCells: CellPrinter = (object) => [
  nameOf(object),
  metadataOf(object).creationTimestamp ?? '0001-01-01T00:00:00Z',
]
