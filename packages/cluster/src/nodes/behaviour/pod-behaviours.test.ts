import type { Pod } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { PodBehaviours } from './pod-behaviours.ts'

const pod = {
  metadata: {
    name: 'web-0',
    namespace: 'shop',
    uid: 'u',
    resourceVersion: '1',
    creationTimestamp: '2030-01-01T00:00:00Z',
    labels: { app: 'web' },
    annotations: { team: 'a' },
  },
  spec: { containers: [] },
} as unknown as Pod

const app = { name: 'app', image: 'nginx:1.25' }
const proxy = { name: 'proxy', image: 'envoy:2' }

test.each([
  ['nginx:1.25', true],
  ['nginx:*', true],
  ['nginx', false],
  [{ name: 'web-0' }, true],
  [{ name: 'web-*', namespace: 'shop' }, true],
  [{ name: 'web-*', namespace: 'other' }, false],
  [{ labels: { app: 'web' } }, true],
  [{ labels: { app: 'db' } }, false],
  [{ annotation: 'team' }, true],
  [{ annotation: { team: 'b' } }, false],
  [{}, true],
])('a rule for %j matches the pod: %s', (match, isMatch) => {
  const rules = new PodBehaviours()
  rules.behave(match, { readyAfter: 5 })
  expect(rules.of(pod)(app, 'regular')).toEqual(isMatch ? { readyAfterMs: 5 } : {})
})

test('later rules override earlier ones field by field, and the annotation overrides all', () => {
  const rules = new PodBehaviours()
  rules.behave({}, { readyAfter: 1, pullTime: 1 })
  const later = rules.behave('nginx:*', { readyAfter: 2, terminationTime: 2 })
  expect(rules.of(pod)(app, 'regular')).toEqual({ readyAfterMs: 2, pullMs: 1, terminationMs: 2 })
  const own = { 'setpoint.dev/pod-behaviour': '{"terminationTime": 3}' }
  const annotated = { ...pod, metadata: { ...pod.metadata, annotations: own } }
  expect(rules.of(annotated)(app, 'regular')).toMatchObject({ readyAfterMs: 2, terminationMs: 3 })
  later[Symbol.dispose]()
  expect(rules.of(pod)(app, 'regular')).toEqual({ readyAfterMs: 1, pullMs: 1 })
})

test('a rule for a pod applies to its regular containers, a rule for an image to all containers with it', () => {
  const rules = new PodBehaviours()
  rules.behave({ name: 'web-0' }, { neverReady: true, containers: { proxy: { pullTime: 7 } } })
  expect(rules.of(pod)(app, 'regular')).toEqual({ neverReady: true })
  expect(rules.of(pod)(proxy, 'sidecar')).toEqual({ pullMs: 7 })
  rules.behave('envoy:*', { pullError: 'not found' })
  expect(rules.of(pod)(proxy, 'sidecar')).toEqual({ pullMs: 7, pullError: 'not found' })
})

test('calls listeners for every change', () => {
  const rules = new PodBehaviours()
  let changes = 0
  rules.onChange(() => (changes += 1))
  const rule = rules.behave('a', {})
  rule[Symbol.dispose]()
  rule[Symbol.dispose]()
  rules.clear()
  expect(changes).toBe(3)
})
