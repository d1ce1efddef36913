import { expect, test } from 'vitest'
import { AgentPool } from './agent-pool.ts'

test('equal settings share an agent, different ones never do', () => {
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

test('the agent that was not used for longest is retired', () => {
  const pool = new AgentPool(2)
  const first = pool.agentFor(true, { ca: '1' })
  const second = pool.agentFor(true, { ca: '2' })
  expect(pool.agentFor(true, { ca: '1' })).toBe(first)
  pool.agentFor(true, { ca: '3' })
  expect(pool.agentFor(true, { ca: '1' })).toBe(first)
  expect(second.maxFreeSockets).toBe(0)
  expect(pool.agentFor(true, { ca: '2' })).not.toBe(second)
})
