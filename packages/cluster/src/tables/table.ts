import type { JsonObject, JsonValue } from 'setpoint/schema'

/** A column in `columnDefinitions` of a Table. */
export interface ColumnDefinition {
  readonly name: string
  readonly type: string
  readonly format: string
  readonly description: string
  readonly priority: number
}

/** The row of one object. */
export interface PrintedRow {
  readonly cells: readonly JsonValue[]
  /** Conditions such as "Completed", by which kubectl hides rows. */
  readonly conditions?: readonly JsonObject[]
}

/** Prints the objects of one resource. */
export interface TablePrinter {
  readonly columns: readonly ColumnDefinition[]
  /** One object as a row; ages are relative to `nowMs`. */
  row(object: JsonObject, nowMs: number): PrintedRow
  /** A list without objects has null instead of an empty list of rows. */
  readonly hasNullRows?: true
  /** The order of the rows of a list, if it is not by name. */
  readonly order?: (one: JsonObject, other: JsonObject) => number
}
