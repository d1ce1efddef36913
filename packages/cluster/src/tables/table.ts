import type { JsonObject, JsonValue } from 'setpoint/schema'

/** A column as `columnDefinitions` of a Table describes it. */
export interface ColumnDefinition {
  readonly name: string
  readonly type: string
  readonly format: string
  readonly description: string
  readonly priority: number
}

/** What is printed of one object. */
export interface PrintedRow {
  readonly cells: readonly JsonValue[]
  /** Marks such as "completed", by which kubectl hides or greys rows. */
  readonly conditions?: readonly JsonObject[]
}

/** How the objects of one resource are printed. */
export interface TablePrinter {
  readonly columns: readonly ColumnDefinition[]
  /** One object as a row; ages are relative to `nowMs`. */
  row(object: JsonObject, nowMs: number): PrintedRow
  /** The order of the rows of a list, where it is not that of the names. */
  readonly order?: (one: JsonObject, other: JsonObject) => number
}
