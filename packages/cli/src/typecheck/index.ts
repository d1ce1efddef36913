/**
 * typecheck/: checks the types of a project with its own compiler, in another process, because
 * Node and esbuild only remove types. `dev` shows the errors, `generate` and `build` refuse them.
 */
export { requireTypes } from './require-types.ts'
export { TypeChecks } from './type-checks.ts'
export { shortMessage } from './compiler-errors.ts'
