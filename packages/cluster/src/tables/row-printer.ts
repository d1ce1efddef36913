import type { JsonObject, JsonValue } from 'setpoint/schema'

/** The cells of one object, in the order of its columns; ages are relative to `nowMs`. */
export type CellPrinter = (object: JsonObject, nowMs: number) => readonly JsonValue[]

/** Cell printers by `group/plural`; all versions share one, so that it reads only common fields. */
export type CellPrinters = Readonly<Record<string, CellPrinter>>
