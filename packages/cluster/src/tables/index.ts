/**
 * tables/: objects as rows of a Table, as `kubectl get` shows them.
 *
 * api/ asks for a printer per resource: built-in kinds have one each (columns from data, cells from
 * small modules), and custom resources get theirs from the printer columns of their definition.
 * Printers are pure: the current time is an argument. The cells are those of a real API server
 * (1.36). Columns for `-o wide` are always included, with a lower priority.
 */
export { builtinPrinter } from './builtin-printer.ts'
export { customPrinter, type CustomColumn } from './custom-printer.ts'
export { scalePrinter } from './scale-printer.ts'
export type { TablePrinter } from './table.ts'
