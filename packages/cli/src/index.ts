/**
 * @setpoint/cli: the command `setpoint`.
 *
 * `bin/setpoint.mjs` calls `main`; nothing else is for programs. What the commands do is documented in
 * docs/reference/cli.md of the repository.
 */
export { main } from './main.ts'
