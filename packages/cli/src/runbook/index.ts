/**
 * runbook/: `setpoint runbook start`, `status` and `cancel`.
 *
 * The commands write annotations and read `status.runbooks`, as kubectl could. They know no operator:
 * the operator of the object does the work, and RBAC decides who may patch the object.
 */
export { runRunbookCancel } from './run-cancel.ts'
export { runRunbookStart } from './run-start.ts'
export { runRunbookStatus } from './run-status.ts'
