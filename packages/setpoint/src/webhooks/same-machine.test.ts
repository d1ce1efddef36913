import { createCluster } from '@setpoint/cluster'
import { expect, test } from 'vitest'
import { virtualHost } from '../host/index.ts'
import { EndpointSlice } from '../kinds/index.ts'
import { isOnSameMachine } from './same-machine.ts'

test.each([
  { of: 'a loopback address that publishes no endpoint', expected: true },
  { of: 'a loopback address that leads to a container', addresses: ['172.18.0.2'] },
  { of: 'a loopback address of the machine of a proxy', change: { proxy: 'http://proxy:3128' } },
  { of: 'another address', change: { server: 'https://api.example.com' } },
])('an API server at $of', async ({ change, addresses = [], expected = false }) => {
  using host = virtualHost({ seed: 1 })
  await using cluster = await createCluster({ host })
  if (addresses.length > 0) {
    await cluster.client.create(EndpointSlice, {
      metadata: { namespace: 'default', name: 'kubernetes' },
      addressType: 'IPv4',
      endpoints: [{ addresses }],
      ports: [{ name: 'https', port: 6443 }],
    })
  }
  const connection = { server: 'https://127.0.0.1:6443', ...change }
  expect(await isOnSameMachine(cluster.client, connection)).toBe(expected)
})
