/** From objects to the documents that clients asked for. Pure. */
import type { AnyResourceDefinition } from '../../definition/index.ts'
import type { JsonObject } from '../../schema/index.ts'
import type { AcceptedForm } from '../accepted-form.ts'
import { refusals } from '../api-refusal.ts'
import { ObjectTable } from './object-table.ts'
import type { ServedJson } from './served-objects.ts'

/** How to show objects. */
interface AnswerOptions {
  readonly definition: AnyResourceDefinition
  readonly form: AcceptedForm
  readonly query: URLSearchParams
  readonly nowMs: number
}

/** One object in the form that the client asked for. */
export function objectAnswer(object: ServedJson, options: AnswerOptions): JsonObject {
  const { form } = options
  if (form.as === 'object') return object
  if (form.as === 'metadata') return metadataOnly(object, form.version)
  const { resourceVersion = '' } = object.metadata
  return table([object], { ...options, metadata: { resourceVersion }, hasColumns: true })
}

/** A list in the form that the client asked for. */
export function listAnswer(
  items: readonly ServedJson[],
  options: AnswerOptions & { readonly metadata: JsonObject },
): JsonObject {
  const { form, definition, metadata } = options
  if (form.as === 'table') return table(items, { ...options, hasColumns: true })
  if (form.as === 'metadata') {
    return {
      kind: 'PartialObjectMetadataList',
      apiVersion: `meta.k8s.io/${form.version}`,
      metadata,
      items: items.map((one) => metadataOnly(one, form.version)),
    }
  }
  const { kind, apiVersion } = definition
  return { kind: `${kind}List`, apiVersion, metadata, items: [...items] }
}

/** The object of a watch event; only the first table has columns. */
export function eventAnswer(
  object: ServedJson,
  options: AnswerOptions & { readonly isFirst: boolean },
): JsonObject {
  const { form, isFirst } = options
  if (form.as !== 'table') return objectAnswer(object, options)
  const { resourceVersion = '' } = object.metadata
  return table([object], { ...options, metadata: { resourceVersion }, hasColumns: isFirst })
}

interface TableOptions extends AnswerOptions {
  readonly metadata: JsonObject
  readonly hasColumns: boolean
}

function table(items: readonly ServedJson[], options: TableOptions): JsonObject {
  const { definition, form, query, nowMs, metadata, hasColumns } = options
  const version = form.as === 'table' ? form.version : 'v1'
  const printer = tableOf(definition)
  const included = query.get('includeObject') ?? 'Metadata'
  if (!['None', 'Metadata', 'Object'].includes(included)) {
    throw refusals.badRequest(`unrecognized includeObject value: ${JSON.stringify(included)}`)
  }
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${version}`,
    metadata,
    columnDefinitions: hasColumns ? [...printer.columnDefinitions] : [],
    rows: items.map((object) => ({
      cells: printer.cells(object, nowMs),
      ...(included === 'None'
        ? {}
        : { object: included === 'Object' ? object : metadataOnly(object, version) }),
    })),
  }
}

const tables = new WeakMap<AnyResourceDefinition, ObjectTable>()

function tableOf(definition: AnyResourceDefinition): ObjectTable {
  const known = tables.get(definition)
  if (known !== undefined) return known
  const made = new ObjectTable(definition)
  tables.set(definition, made)
  return made
}

function metadataOnly({ metadata }: ServedJson, version: string): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata }
}
