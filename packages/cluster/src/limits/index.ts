/**
 * limits/: what one request may cost. The server has one thread and one heap for all clients, so
 * nothing that a client sends may occupy them for long.
 *
 * api/, codec/ and cluster/ call it. It imports only status/, and the meter of `setpoint/schema`.
 */
export { AnswersInFlight } from './answers-in-flight.ts'
export { BodiesInFlight } from './bodies-in-flight.ts'
export { appliedValuesMax, checkShape, depthMax, tooDeep } from './check-shape.ts'
export { checkValueSize, isLongerThan } from './check-value-size.ts'
export { SharedTurns } from './shared-turns.ts'
export { Turns } from './turns.ts'
export { withinBudget } from './work-budget.ts'
export { tooManyRequests } from './too-many-requests.ts'
