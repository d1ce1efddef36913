/**
 * limits/: what one request may cost. The server has one thread and one heap for all clients, so
 * nothing that a client sends may occupy them for long.
 *
 * api/ calls it. It imports only status/, and the meter of `setpoint/schema`.
 */
export { checkDepth, depthMax, tooDeep } from './check-depth.ts'
export { checkValueSize } from './check-value-size.ts'
export { withinBudget } from './work-budget.ts'
