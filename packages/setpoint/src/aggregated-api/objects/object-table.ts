/** Tables: the output of `kubectl get`. Pure. */
import type { AnyResourceDefinition } from '../../definition/index.ts'
import {
  type CrdPrinterColumn,
  evaluateJsonPath,
  goJson,
  goNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJsonPath,
} from '../../schema/index.ts'
import { shortAge } from './short-age.ts'
import type { ServedJson } from './served-objects.ts'

const ageColumn: CrdPrinterColumn = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
}

/** Prints the objects of a definition. */
export class ObjectTable {
  readonly #columns: readonly CrdPrinterColumn[]
  readonly columnDefinitions: readonly JsonObject[]

  constructor(definition: AnyResourceDefinition) {
    const [version] = definition.crd().spec.versions
    const own = version?.additionalPrinterColumns ?? []
    this.#columns = own.length === 0 ? [ageColumn] : own
    this.columnDefinitions = [
      {
        name: 'Name',
        type: 'string',
        format: 'name',
        description: 'The name of the object, unique in its namespace.',
        priority: 0,
      },
      ...this.#columns.map(({ name, type, format = '', description = '', priority = 0 }) => ({
        name,
        type,
        format,
        description,
        priority,
      })),
    ]
  }

  /** One object as a row; ages are relative to `nowMs`. */
  cells(object: ServedJson, nowMs: number): JsonValue[] {
    return [object.metadata.name, ...this.#columns.map((column) => cell(column, object, nowMs))]
  }
}

function cell({ type, jsonPath }: CrdPrinterColumn, object: JsonObject, nowMs: number): JsonValue {
  const { steps } = parseJsonPath(jsonPath)
  const [value] = steps === undefined ? [] : evaluateJsonPath(steps, object)
  if (value === undefined || value === null) return type === 'date' ? '<unknown>' : null
  switch (type) {
    case 'string':
      return printed(value)
    case 'date':
      return typeof value === 'string' ? ageCell(value, nowMs) : null
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null
    default:
      return typeof value === type ? value : null
  }
}

function ageCell(time: string, nowMs: number): string {
  const timeMs = Date.parse(time)
  return Number.isNaN(timeMs) ? '<invalid>' : shortAge(nowMs - timeMs)
}

function printed(value: JsonValue): string {
  if (isJsonObject(value) || Array.isArray(value)) return goJson(value)
  return typeof value === 'number' ? goNumber(value) : String(value)
}
