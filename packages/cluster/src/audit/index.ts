/**
 * audit/: the audit log of the API server: which requests a policy logs, and their events.
 *
 * api/ calls `AuditLog.begin` for each request, and adds to the result what happens to the request.
 * cluster/ creates the log if its options have one; without it requests do nothing for it. The events
 * are those of a real server (1.36); `test/audit` compares them with recorded ones.
 */
export { openAudit, type AuditOptions, type OpenAudit } from './open-audit.ts'
export type { AuditLog } from './audit-log.ts'
export type { AuditPolicy, AuditRule } from './audit-policy.ts'
export type { AuditedRequest } from './audited-request.ts'
export { sourceAddresses } from './source-addresses.ts'
