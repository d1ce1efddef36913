import { createCluster } from '@setpoint/cluster'
import { readFileSync } from 'node:fs'
import { virtualHost } from 'setpoint/host'
import type { JsonValue } from 'setpoint/schema'
import { describe, expect, test } from 'vitest'
import { embeddedTarget } from '../conformance/target.ts'
import { auditPolicy } from './audit-cases.ts'
import { runAudited, type AuditedCase } from './audit-run.ts'

const recorded = readFileSync(new URL('recorded.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as AuditedCase)

function plain(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue
}

describe('the audit log has the events of a real server', async () => {
  const lines: string[] = []
  await using target = await embeddedTarget({
    audit: { policy: plain(auditPolicy) as never, log: (line) => lines.push(line) },
  })
  const cases = await runAudited(target, { run: 'embedded', lines: async () => lines })
  test.each(recorded.map(({ name, events }) => [name, events] as const))('%s', (name, events) => {
    const found = cases.find((entry) => entry.name === name)
    expect(events.length).toBeGreaterThan(0)
    expect(plain(found?.events ?? [])).toEqual(plain(events))
  })
})

test('a log in a file has one line for each event, in the order of the fields of a real one', async () => {
  const host = virtualHost({ seed: 'audit' })
  await using cluster = await createCluster({
    host,
    workloads: 'off',
    auth: 'off',
    tls: 'off',
    audit: { log: '/audit.log' },
  })
  const response = await host.request({
    method: 'GET',
    url: `${cluster.url}/api/v1/namespaces/default`,
  })
  const text = new TextDecoder().decode(await host.readFile('/audit.log'))
  const lines = text.trim().split('\n')
  const events = lines.map((line) => JSON.parse(line) as Record<string, JsonValue>)
  expect(events.map(({ stage }) => stage)).toEqual(['RequestReceived', 'ResponseComplete'])
  expect(events[1]?.['auditID']).toBe(response.headers['audit-id'])
  expect(Object.keys(events[1] ?? {})).toEqual([
    'kind',
    'apiVersion',
    'level',
    'auditID',
    'stage',
    'requestURI',
    'verb',
    'user',
    'sourceIPs',
    'objectRef',
    'responseStatus',
    'requestReceivedTimestamp',
    'stageTimestamp',
    'annotations',
  ])
  expect(events[1]?.['stageTimestamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
})

test('an invalid policy is refused with all problems', async () => {
  const policy = {
    rules: [{ level: 'All' }, { level: 'None', omitStages: ['Never'] }],
  } as never
  await expect(createCluster({ audit: { policy, log: () => undefined } })).rejects.toThrow(
    'the audit policy is not valid: rules[0].level: Unsupported value: "All": supported values: "None", "Metadata", "Request", "RequestResponse"; rules[1].omitStages[0]: Unsupported value: "Never": supported values: "Panic", "RequestReceived", "ResponseComplete", "ResponseStarted"',
  )
})
