/**
 * @setpoint/cli/new: `setpoint new` alone, for `npm create setpoint`, which is built from it.
 */
export { mainNew } from './main-new.ts'
