import type { JsonObject } from 'setpoint/schema'
import { builtinData } from '../data/index.ts'
import { metadataOf, nameOf } from '../object/index.ts'
import { admissionPrinters } from './kinds/admission-printers.ts'
import { apiMachineryPrinters, byPrecedence } from './kinds/api-machinery-printers.ts'
import { autoscalerPrinters } from './kinds/autoscaler-printers.ts'
import { batchPrinters } from './kinds/batch-printers.ts'
import { certificatePrinters } from './kinds/certificate-printers.ts'
import { coreKindPrinters } from './kinds/core-kind-printers.ts'
import { endpointsPrinters } from './kinds/endpoints-printers.ts'
import { eventPrinters } from './kinds/event-printers.ts'
import { networkingPrinters } from './kinds/networking-printers.ts'
import { nodePrinters } from './kinds/node-printers.ts'
import { persistentVolumePrinters } from './kinds/persistent-volume-printers.ts'
import { podConditions, podPrinters } from './kinds/pod-printers.ts'
import { rbacPrinters } from './kinds/rbac-printers.ts'
import type { CellPrinter, CellPrinters } from './row-printer.ts'
import { schedulingPrinters } from './kinds/scheduling-printers.ts'
import { servicePrinters } from './kinds/service-printers.ts'
import { storagePrinters } from './kinds/storage-printers.ts'
import type { ColumnDefinition, PrintedRow, TablePrinter } from './table.ts'
import { nameDescription } from './name-column.ts'
import { workloadPrinters } from './kinds/workload-printers.ts'

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

/** The printer of a built-in resource; without its own, it prints name and creation time. */
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
    const row = (object: JsonObject): PrintedRow => ({ cells: anyCells(object, 0) })
    return { columns: columns ?? anyColumns, row, hasNullRows: true }
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
