import type { JsonObject } from 'setpoint/schema'
import { expect, test } from 'vitest'
import { counterOf, type Counter } from '../../quota/index.ts'
import type { QuotaObject } from './quota-key-source.ts'
import { quotaStatus } from './quota-usage.ts'

const nowMs = Date.UTC(2026, 0, 1)

const pod = (requests: JsonObject, more: JsonObject = {}): JsonObject => ({
  spec: { containers: [{ name: 'main', image: 'app', resources: { requests } }] },
  ...more,
})

function used(spec: JsonObject, counted: Record<string, JsonObject[]>, before?: JsonObject) {
  const quota = { spec, status: before === undefined ? undefined : { used: before } }
  const parts = Object.entries(counted).map(([plural, objects]) => ({
    counter: counterOf('', plural) as Counter,
    objects,
  }))
  return quotaStatus(quota as unknown as QuotaObject, parts, nowMs).used
}

test.each<[string, JsonObject, Record<string, JsonObject[]>, JsonObject]>([
  [
    'no objects use zero',
    { hard: { pods: '1', 'requests.cpu': '1' } },
    { pods: [] },
    { pods: '0', 'requests.cpu': '0' },
  ],
  [
    'a limit on an unknown resource has no usage',
    { hard: { pods: '1', 'count/things.example.com': '1' } },
    { pods: [] },
    { pods: '0' },
  ],
  [
    'amounts are added in the format of the first one',
    { hard: { 'requests.memory': '4Gi', cpu: '4' } },
    { pods: [pod({ cpu: '500m', memory: '1Gi' }), pod({ cpu: '1500m', memory: '512Mi' })] },
    { 'requests.memory': '1536Mi', cpu: '2' },
  ],
  [
    'finished pods count only as objects',
    { hard: { pods: '1', 'count/pods': '2' } },
    { pods: [pod({}, { status: { phase: 'Failed' } })] },
    { pods: '0', 'count/pods': '1' },
  ],
  [
    'terminating pods after their grace period count only as objects',
    { hard: { pods: '1', 'count/pods': '2' } },
    {
      pods: [
        pod(
          {},
          {
            metadata: { deletionTimestamp: '2025-12-31T23:59:00Z', deletionGracePeriodSeconds: 30 },
          },
        ),
      ],
    },
    { pods: '0', 'count/pods': '1' },
  ],
  [
    'resources without scopes are in no scope',
    { hard: { pods: '5', services: '5' }, scopes: ['BestEffort'] },
    { pods: [pod({}), pod({ cpu: '1' })], services: [{ spec: {} }] },
    { pods: '1', services: '0' },
  ],
])('computes usage: %s', (_, spec, ...[counted, expected]) => {
  expect(used(spec, counted)).toEqual(expected)
})

test('keeps the format of an unchanged amount', () => {
  const before = { 'requests.memory': '1024Mi' }
  const spec = { hard: { 'requests.memory': '4Gi' } }
  expect(used(spec, { pods: [pod({ memory: '1Gi' })] }, before)).toEqual(before)
})
