import type { JsonObject, JsonValue } from 'setpoint/schema'
import { Normaliser } from '../conformance/normalise.ts'
import { runCase } from '../conformance/run-case.ts'
import type { Target } from '../conformance/target.ts'
import { anonymousCases, auditCases } from './audit-cases.ts'

/** The events of a case. */
export interface AuditedCase {
  readonly name: string
  readonly events: readonly JsonValue[]
}

/** Runs all cases; `lines` returns the log of the server. */
export async function runAudited(
  target: Target,
  { run, lines }: { readonly run: string; readonly lines: () => Promise<readonly string[]> },
): Promise<AuditedCase[]> {
  const anonymous = { ...target, tls: target.tls && { ca: target.tls.ca } } as Target
  const planned = [
    ...auditCases.map((entry) => ({ entry, of: target })),
    ...anonymousCases.map((entry) => ({ entry, of: anonymous })),
  ]
  const results: AuditedCase[] = []
  for (const [index, { entry, of }] of planned.entries()) {
    const namespace = `audit-${index}-${run}`
    const before = (await lines()).length
    await runCase(of, entry, namespace)
    await target.pause()
    const events = (await lines()).slice(before).map((line) => JSON.parse(line) as JsonObject)
    results.push({ name: entry.name, events: normalised(events, namespace) })
  }
  return results
}

/** The events of the compared requests, in the order of the requests. */
function normalised(events: readonly JsonObject[], namespace: string): JsonValue[] {
  const normaliser = new Normaliser(namespace)
  return events
    .filter((event) => idOf(event).startsWith('audited-'))
    .sort((one, other) => compare(idOf(one), idOf(other)))
    .map((event) => normaliser.value(plain(event)))
}

function idOf({ auditID }: JsonObject): string {
  return typeof auditID === 'string' ? auditID : ''
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

/** Hashes of certificates and ports of webhooks differ. */
function plain(event: JsonObject): JsonObject {
  const text = JSON.stringify(event)
    .replace(/X509SHA256=[0-9a-f]+/g, 'X509SHA256=HASH')
    .replace(/("(?:requestReceived|stage)Timestamp":")[^"]*\.\d{6}Z"/g, '$1MICROTIME"')
  return JSON.parse(text) as JsonObject
}
