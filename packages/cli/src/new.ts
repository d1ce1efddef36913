/**
 * @setpoint/cli/new: only `setpoint new`, from which `create-setpoint` is built.
 */
export { mainNew } from './main-new.ts'
