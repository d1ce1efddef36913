import type { Clock, JournalFiles } from 'setpoint/host'
import type { JsonValue } from 'setpoint/schema'
import { AuditLog } from './audit-log.ts'
import { type AuditPolicy, metadataPolicy } from './audit-policy.ts'
import { checkAuditPolicy } from './check-audit-policy.ts'

/** The audit log of the API server. */
export interface AuditOptions {
  /**
   * Which requests are logged, and how much of them: the content of the file of
   * `--audit-policy-file`. Default: the metadata of all requests.
   */
  readonly policy?: AuditPolicy
  /**
   * A file, to which one line of JSON is appended for each event, or a function that gets the
   * lines.
   */
  readonly log: string | ((line: string) => void)
}

/** An audit log, and how to close its file. */
export interface OpenAudit {
  readonly log: AuditLog
  close(): void
}

/** Opens the audit log, if there is one; throws if its policy is invalid. */
export async function openAudit(
  { policy = metadataPolicy, log }: AuditOptions,
  { host, journals }: { readonly host: Clock; readonly journals: JournalFiles },
): Promise<OpenAudit> {
  const checked = checkAuditPolicy(policy as unknown as JsonValue)
  if (typeof log === 'function') {
    return { log: new AuditLog(checked, host, log), close: () => undefined }
  }
  // It can have Secrets.
  const file = await journals.openJournal(log, { mode: 0o600 })
  return {
    log: new AuditLog(checked, host, (line) => file.append(`${line}\n`)),
    close: () => file.close(),
  }
}
