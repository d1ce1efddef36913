/** Printer columns and other paths of a definition, checked against the schema. */
import type { CrdPrinterColumn, StructuralSchema } from '../schema/index.ts'
import { parseJsonPath, resolveSchemaPath } from '../schema/index.ts'
import type { Problem } from './options/problem.ts'
import type { ResourceModel } from './resource-model.ts'
import type { ColumnOptions } from './options/resource-options.ts'

type ColumnType = NonNullable<ColumnOptions['type']>

const ageColumn: CrdPrinterColumn = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
}

/**
 * The columns in the form of a CRD, with types from the schema, and the age that kubectl users
 * expect.
 */
export function printerColumns(
  columns: Readonly<Record<string, string | ColumnOptions>>,
  schema: StructuralSchema,
): CrdPrinterColumn[] {
  const own = Object.entries(columns).map(([name, column]): CrdPrinterColumn => {
    const options = columnOptions(column)
    const type = options.type ?? columnType(schemaAt(schema, options.jsonPath) ?? {})
    return { name, ...options, type }
  })
  const hasAge = own.some(
    ({ name, jsonPath }) => name === ageColumn.name || jsonPath === ageColumn.jsonPath,
  )
  return own.length === 0 || hasAge ? own : [...own, ageColumn]
}

function columnOptions(column: string | ColumnOptions): ColumnOptions {
  return typeof column === 'string' ? { jsonPath: column } : column
}

/** Whether a path leads to a field of the schema. */
export function resolvesIn(schema: StructuralSchema, path: string): boolean {
  return schemaAt(schema, path) !== undefined
}

function schemaAt(schema: StructuralSchema, path: string): StructuralSchema | undefined {
  const { steps } = parseJsonPath(path)
  return steps === undefined ? undefined : resolveSchemaPath(schema, steps).schema
}

function columnType(schema: StructuralSchema): ColumnType {
  // kubectl prints the age of a date-time; a plain date would be printed as <invalid>.
  if (schema.format === 'date-time') return 'date'
  const { type } = schema
  return type === 'integer' || type === 'number' || type === 'boolean' ? type : 'string'
}

/** All problems of the paths of a definition: columns, scale and selectable fields. */
export function pathProblems(model: ResourceModel): Problem[] {
  const [hub] = model.versions
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = model.scale ?? {}
  return [
    ...model.versions.flatMap((version) =>
      Object.entries(version.columns ?? {}).flatMap(([name, column]) =>
        columnProblems(`columns.${name}`, columnOptions(column), version.schema),
      ),
    ),
    ...[
      { at: 'scale.specReplicasPath', path: specReplicasPath, types: ['integer'] },
      { at: 'scale.statusReplicasPath', path: statusReplicasPath, types: ['integer'] },
      { at: 'scale.labelSelectorPath', path: labelSelectorPath, types: ['string'] },
      ...model.selectableFields.map((path) => ({
        at: 'selectableFields',
        path,
        types: selectable,
      })),
    ].flatMap((expected) => typeProblems(expected, hub.schema)),
  ]
}

const selectable = ['string', 'boolean', 'integer']

function columnProblems(at: string, column: ColumnOptions, schema: StructuralSchema): Problem[] {
  const missing = missingField(at, column.jsonPath, schema)
  if (missing.length > 0 || column.type === undefined || column.type === 'string') return missing
  const found = schemaAt(schema, column.jsonPath) ?? {}
  const derived = columnType(found)
  const isOpen = found['x-kubernetes-preserve-unknown-fields'] === true
  if (isOpen || column.type === derived) return []
  return [
    {
      path: at,
      reason: `${column.jsonPath} is ${derived === 'string' ? 'text' : `a ${derived}`}, not a ${column.type}`,
      instead: 'omit the type: it is derived from the schema',
    },
  ]
}

/** A path that must lead to a field of one of these types; `undefined` is valid. */
interface TypedPath {
  readonly at: string
  readonly path: string | undefined
  readonly types: readonly string[]
}

function typeProblems({ at, path, types }: TypedPath, schema: StructuralSchema): Problem[] {
  if (path === undefined) return []
  const missing = missingField(at, path, schema)
  if (missing.length > 0) return missing
  const found = schemaAt(schema, path) ?? {}
  const isOpen = found['x-kubernetes-preserve-unknown-fields'] === true
  if (isOpen || (found.type !== undefined && types.includes(found.type))) return []
  return [{ path: at, reason: `the field ${path} is not of type ${types.join(' or ')}` }]
}

function missingField(at: string, path: string, schema: StructuralSchema): Problem[] {
  const parsed = parseJsonPath(path)
  if (parsed.steps === undefined) return [{ path: at, reason: parsed.problem }]
  const found = resolveSchemaPath(schema, parsed.steps)
  if (found.schema !== undefined) return []
  const known = found.known.length === 0 ? 'nothing' : found.known.join(', ')
  return [
    {
      path: at,
      reason: `this resource has no field at ${path}`,
      instead: `use one of the fields there: ${known}`,
    },
  ]
}
