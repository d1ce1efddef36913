import { collectDefaultMetrics, Counter, register, Registry } from 'prom-client'
import { afterEach, expect, test } from 'vitest'
import { virtualHost } from '../host/virtual/index.ts'
import { hostLogger } from '../log/index.ts'
import { MetricsRegistry } from './metrics-registry.ts'
import { SharedRegistries, type SharedRegistry } from './shared-registries.ts'

afterEach(() => register.clear())

function shared(...registries: SharedRegistry[]) {
  const host = virtualHost({ seed: 1 })
  const registry = new MetricsRegistry()
  registry.counter({ name: 'own_total', help: 'Ours.' }).add({})
  const log = hostLogger(host)
  return { host, all: new SharedRegistries({ host, log, registry, registries }) }
}

test('serves the metrics of a prom-client registry with its own', async () => {
  const counter = new Counter({ name: 'orders_total', help: 'Orders.', labelNames: ['shop'] })
  counter.inc({ shop: 'a' }, 2)
  const { all } = shared(register)
  expect(await all.text()).toBe(
    [
      '# HELP own_total Ours.',
      '# TYPE own_total counter',
      'own_total 1',
      '# HELP orders_total Orders.',
      '# TYPE orders_total counter',
      'orders_total{shop="a"} 2',
      '',
    ].join('\n'),
  )
})

test('serves a metric of two registries only once, and warns once', async () => {
  const registry = new Registry()
  const counter = new Counter({ name: 'own_total', help: 'Theirs.', registers: [registry] })
  counter.inc(7)
  const { all, host } = shared(registry)
  await all.text()
  expect(await all.text()).toBe('# HELP own_total Ours.\n# TYPE own_total counter\nown_total 1\n')
  expect(host.logged.filter((line) => line.includes('own_total'))).toHaveLength(1)
})

test('serves the others when a registry fails or does not answer', async () => {
  const broken: SharedRegistry = { metrics: () => Promise.reject(new Error('no disk')) }
  const silent: SharedRegistry = { metrics: () => new Promise(() => undefined) }
  const { all, host } = shared(broken, silent)
  expect(await all.text()).toContain('own_total 1')
  expect(host.logged.join('\n')).toContain('no disk')
  expect(host.logged.join('\n')).toContain('no answer within 5000 ms')
})

test('refuses a registry in the OpenMetrics format', () => {
  const registry = new Registry()
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE as never)
  expect(() => shared(registry as never)).toThrow(/cannot be shared/)
})

test('serves the default metrics of prom-client once, even from two registries', async () => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const text = await shared(registry, registry).all.text()
  const declared = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
  expect(declared).toContain('nodejs_heap_size_total_bytes')
  expect(new Set(declared).size).toBe(declared.length)
})
