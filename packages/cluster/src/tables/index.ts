/**
 * tables/: objects as rows of text, as `kubectl get` shows them.
 *
 * api/ asks for a printer per resource: built-in kinds have one each (columns from data, cells from
 * small modules), custom resources get theirs from the printer columns of their definition. Printing is
 * pure: the current time comes in as a number. It promises the cells of a real API server (1.36), word
 * for word; what belongs to `-o wide` is always there, in columns of a lower priority.
 */
export { builtinPrinter } from './builtin-printer.ts'
export { customPrinter, type CustomColumn } from './custom-printer.ts'
export { scalePrinter } from './scale-printer.ts'
export type { TablePrinter } from './table.ts'
