import { createCluster } from '@setpoint/cluster'
import { virtualHost } from 'setpoint/host'
import { Deployment, Event, Service } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { Application } from '../../../../../operators/01-application/application.ts'
import application from '../../../../../operators/01-application/operator.ts'
import { objectDetails } from './object-details.ts'

test('reads the children of an object with their state, and its Events', async () => {
  using host = virtualHost({ seed: 1 })
  await using cluster = await createCluster({ host, operators: [application] })
  const { client } = cluster
  const spec = { image: 'nginx', replicas: 1, port: 80 }
  for (const name of ['web', 'other']) {
    await client.create(Application, { metadata: { name }, spec })
  }
  await cluster.settle()
  await client.create(Event, {
    metadata: { name: 'web.1' },
    involvedObject: { kind: 'Application', name: 'web', namespace: 'default' },
    type: 'Warning',
    reason: 'ReconcileFailed',
    message: 'no such key',
    lastTimestamp: '2026-01-01T12:00:01Z',
  })
  const children = [Deployment, Service]
  const operators = [{ name: 'a', kind: Application, isApi: false, children, policies: [] }]
  const shown = { kind: 'Application', key: 'default/web', conditions: [], isTerminating: false }
  const details = await objectDetails(client, operators, shown)
  expect(details.of).toBe('Application default/web')
  expect(details.children).toEqual(['Deployment web  Available=True', 'Service web'])
  expect(details.events).toContain('12:00:01 Warning ReconcileFailed  no such key')
})
