import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numberText } from './exposition.ts'
import { MetricsRegistry } from './index.ts'

test('writes counters and gauges with help, type and labels', () => {
  const registry = new MetricsRegistry()
  const runs = registry.counter({ name: 'runs_total', help: 'Runs', labels: ['who', 'how'] })
  const depth = registry.gauge({ name: 'depth', help: 'Depth now' })
  runs.add({ who: 'a', how: 'well' })
  runs.add({ how: 'well', who: 'a' }, 2)
  runs.add({ who: 'b', how: 'well' }, 0)
  depth.set({}, -1.5)
  expect(registry.text()).toBe(
    [
      '# HELP runs_total Runs',
      '# TYPE runs_total counter',
      'runs_total{who="a",how="well"} 3',
      'runs_total{who="b",how="well"} 0',
      '# HELP depth Depth now',
      '# TYPE depth gauge',
      'depth -1.5',
      '',
    ].join('\n'),
  )
})

test('omits a metric without series', () => {
  const registry = new MetricsRegistry()
  registry.counter({ name: 'runs_total', help: 'Runs' })
  expect(registry.text()).toBe('')
})

test('escapes backslashes, quotes and line feeds', () => {
  const registry = new MetricsRegistry()
  const runs = registry.counter({ name: 'x', help: 'a "quoted"\nC:\\dir', labels: ['path'] })
  runs.add({ path: 'C:\\"dir"\nnext' })
  expect(registry.text().split('\n')).toEqual([
    '# HELP x a "quoted"\\nC:\\\\dir',
    '# TYPE x counter',
    'x{path="C:\\\\\\"dir\\"\\nnext"} 1',
    '',
  ])
})

test('writes every label value as one line that can be parsed back', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'a"\\\n\r{}=,é\u2028🙂'), maxLength: 30 }),
      (value) => {
        const registry = new MetricsRegistry()
        registry.gauge({ name: 'x', help: 'h', labels: ['l'] }).set({ l: value }, 1)
        const [, , line = '', rest] = registry.text().split('\n')
        expect(rest).toBe('')
        const [, text = ''] = /^x\{l="((?:[^"\\]|\\[\\"n])*)"\} 1$/su.exec(line) ?? []
        expect(text.replace(/\\(.)/gsu, (_, char) => (char === 'n' ? '\n' : String(char)))).toBe(
          value,
        )
      },
    ),
  )
})

test('counts a value into every bucket with a bound that is not below it', () => {
  const registry = new MetricsRegistry()
  const time = registry.histogram({ name: 't', help: 'T', labels: ['c'], buckets: [0.1, 1] })
  for (const value of [0.05, 0.1, 0.5, 7]) time.observe({ c: 'x' }, value)
  time.prepare({ c: 'y' })
  expect(registry.text().split('\n').slice(1, -1)).toEqual([
    '# TYPE t histogram',
    't_bucket{c="x",le="0.1"} 2',
    't_bucket{c="x",le="1"} 3',
    't_bucket{c="x",le="+Inf"} 4',
    't_sum{c="x"} 7.65',
    't_count{c="x"} 4',
    't_bucket{c="y",le="0.1"} 0',
    't_bucket{c="y",le="1"} 0',
    't_bucket{c="y",le="+Inf"} 0',
    't_sum{c="y"} 0',
    't_count{c="y"} 0',
  ])
})

test('writes numbers as Go does', () => {
  const texts = [0, 1, -1.5, 10e-9, 0.0001, 0.00001, 123456, 1234567, 1e21, NaN].map(numberText)
  expect(texts).toEqual([
    '0',
    '1',
    '-1.5',
    '1e-08',
    '0.0001',
    '1e-05',
    '123456',
    '1.234567e+06',
    '1e+21',
    'NaN',
  ])
  expect([Infinity, -Infinity].map(numberText)).toEqual(['+Inf', '-Inf'])
  fc.assert(
    fc.property(fc.double({ noNaN: true }), (value) => {
      const text = numberText(value).replace('Inf', 'Infinity')
      expect(Number(text)).toBe(value === 0 ? 0 : value)
    }),
  )
})

test('counts label sets beyond the limit together, and drops those of gauges', () => {
  const registry = new MetricsRegistry()
  const options = { help: 'h', labels: ['a', 'b'], seriesMax: 2 } as const
  const counter = registry.counter({ ...options, name: 'c' })
  const gauge = registry.gauge({ ...options, name: 'g' })
  for (const a of ['1', '2', '3', '4', '1']) {
    counter.add({ a, b: '' })
    gauge.set({ a, b: '' }, 1)
  }
  const samples = registry
    .text()
    .split('\n')
    .filter((line) => /^[cg]/.test(line))
  expect(samples).toEqual([
    'c{a="1",b=""} 2',
    'c{a="2",b=""} 1',
    'c{a="exceeded_cardinality_limit",b="exceeded_cardinality_limit"} 2',
    'g{a="1",b=""} 1',
    'g{a="2",b=""} 1',
  ])
})

test('cuts a long label', () => {
  const registry = new MetricsRegistry()
  const counter = registry.counter({ name: 'c', help: 'h', labels: ['l'] })
  counter.add({ l: 'x'.repeat(100_000) })
  expect(registry.text().length).toBeLessThan(400)
})

test('calls collectors at every scrape until they are removed', () => {
  const registry = new MetricsRegistry()
  const gauge = registry.gauge({ name: 'g', help: 'h' })
  let asked = 0
  const stop = registry.onCollect(() => gauge.set({}, (asked += 1)))
  expect(registry.text()).toContain('\ng 1\n')
  expect(registry.text()).toContain('\ng 2\n')
  stop()
  expect(registry.text()).toContain('\ng 2\n')
})

test.each<[string, (registry: MetricsRegistry) => unknown]>([
  ['a name Prometheus does not know', (world) => world.counter({ name: 'a-b', help: 'h' })],
  ['a label it does not know', (world) => world.counter({ name: 'c', help: 'h', labels: ['a.b'] })],
  [
    'a label it keeps for itself',
    (world) => world.gauge({ name: 'c', help: 'h', labels: ['__x'] }),
  ],
  ['a label twice', (world) => world.gauge({ name: 'c', help: 'h', labels: ['x', 'x'] })],
  ['a name that is taken', (world) => world.gauge({ name: 'taken', help: 'h' })],
  ['a name within a histogram', (world) => world.gauge({ name: 'taken_sum', help: 'h' })],
  ['no buckets', (world) => world.histogram({ name: 'h', help: 'h', buckets: [] })],
  ['falling buckets', (world) => world.histogram({ name: 'h', help: 'h', buckets: [2, 1] })],
  [
    'the label le',
    (world) => world.histogram({ name: 'h', help: 'h', labels: ['le'], buckets: [1] }),
  ],
  ['counting down', (world) => world.counter({ name: 'c', help: 'h' }).add({}, -1)],
  ['counting by nothing', (world) => world.counter({ name: 'c', help: 'h' }).add({}, NaN)],
])('refuses %s', (_, define) => {
  const registry = new MetricsRegistry()
  registry.histogram({ name: 'taken', help: 'h', buckets: [1] })
  expect(() => define(registry)).toThrow(expect.objectContaining({ code: 'METRIC_INVALID' }))
})
