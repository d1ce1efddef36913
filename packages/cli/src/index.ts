/**
 * @setpoint/cli: the command `setpoint`.
 *
 * `bin/setpoint.mjs` calls `main`. Programs use nothing else of this package. The commands are
 * documented in docs/reference/cli.md of the repository.
 */
export { main } from './main.ts'
