import { expect, test } from 'vitest'
import { withoutUnread } from './left-out.ts'

test.each([
  [
    ['list apps/deployments stale', 'get /services'],
    ['events', 'endpoints', 'heartbeats'],
  ],
  [['watch discovery.k8s.io/endpointslices stale'], ['events', 'heartbeats']],
  [['list /endpoints'], ['events', 'heartbeats']],
  [['list /nodes', 'list events.k8s.io/events'], ['endpoints']],
])('a program that reads %j runs without %j', (reads, parts) => {
  expect(withoutUnread(reads)).toEqual(parts)
})
