import { expect, test } from 'vitest'
import { proxyAddress } from '../../http/proxy-address.ts'
import { AgentPool } from './agent-pool.ts'

test('shares an agent between equal settings only', () => {
  const pool = new AgentPool()
  const agent = pool.agentFor(true, { ca: 'a', serverName: 'x' })
  expect(pool.agentFor(true, { serverName: 'x', ca: 'a' })).toBe(agent)
  for (const other of [
    {},
    { ca: 'a' },
    { cert: 'a', serverName: 'x' },
    { ca: 'a', serverName: 'x', insecureSkipVerify: true },
  ]) {
    expect(pool.agentFor(true, other)).not.toBe(agent)
  }
  expect(pool.agentFor(false, { ca: 'a', serverName: 'x' })).not.toBe(agent)
  expect(pool.agentFor(false, {})).toBe(pool.agentFor(false))
})

test('separates agents by proxy and account', () => {
  const pool = new AgentPool()
  const via = (proxy: string) => proxyAddress(proxy, 'a test')
  const tls = { ca: 'a' }
  const proxies = [
    undefined,
    ...['http://p:1', 'http://p:2', 'http://me@p:1', 'http://me:too@p:1', 'https://p:1'].map(via),
  ]
  const agents = proxies.flatMap((proxy) => [
    pool.agentFor(true, tls, proxy),
    pool.agentFor(false, tls, proxy),
  ])
  expect(new Set(agents).size).toBe(agents.length)
  expect(pool.agentFor(true, { ca: 'a' }, via('http://p:1/'))).toBe(agents[2])
  expect(pool.agentFor(false, { ca: 'b' }, via('http://p:1'))).toBe(agents[3])
  expect(pool.agentFor(false, { ca: 'b' }, via('https://p:1'))).not.toBe(agents[11])
})

test('retires the least recently used agent', () => {
  const pool = new AgentPool(2)
  const first = pool.agentFor(true, { ca: '1' })
  const second = pool.agentFor(true, { ca: '2' })
  expect(pool.agentFor(true, { ca: '1' })).toBe(first)
  pool.agentFor(true, { ca: '3' })
  expect(pool.agentFor(true, { ca: '1' })).toBe(first)
  expect(second.maxFreeSockets).toBe(0)
  expect(pool.agentFor(true, { ca: '2' })).not.toBe(second)
})
