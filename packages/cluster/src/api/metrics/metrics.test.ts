import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { HistogramSeries, MetricSeries } from './metric-series.ts'
import { families, familyOf, type FamilyName } from './metric-family.ts'
import { ServerMetrics } from './server-metrics.ts'
import { parseRequest } from '../http/request-info.ts'

interface RecordedFamily {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly labels: readonly string[]
  readonly buckets?: readonly string[]
}

const file = new URL('./testdata/recorded-families.json', import.meta.url)
const recorded = JSON.parse(readFileSync(file, 'utf8')) as RecordedFamily[]

test('the names, types, labels, buckets and texts are those of a real server', () => {
  const series = new MetricSeries()
  for (const name of Object.keys(families) as FamilyName[]) {
    const values = familyOf(name).labels.map(() => 'x')
    if (familyOf(name).type === 'histogram') series.histogram(name, values).observe(1)
    else series.number(name, values).value = 1
  }
  const text = series.text()
  for (const { name, type, help, labels, buckets = [] } of recorded) {
    expect(text).toContain(`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`)
    const printed = labels.map((label) => `${label}="x"`).join(',')
    if (type !== 'histogram') expect(text).toContain(`\n${name}{${printed}} 1\n`)
    for (const bound of buckets) {
      expect(text).toContain(`\n${name}_bucket{${printed},le="${bound}"}`)
    }
  }
  expect(recorded).toHaveLength(Object.keys(families).length)
})

test('a histogram counts each value in its bucket and all larger ones', () => {
  const histogram = new HistogramSeries([1, 10])
  for (const value of [0.5, 1, 2, 1000]) histogram.observe(value)
  expect(histogram.lines('a', 'b="c"')).toEqual([
    'a_bucket{b="c",le="1"} 2',
    'a_bucket{b="c",le="10"} 3',
    'a_bucket{b="c",le="+Inf"} 4',
    'a_sum{b="c"} 1003.5',
    'a_count{b="c"} 4',
  ])
})

test.each([
  ['GET', '/api/v1/pods', '', 'scope="cluster",subresource="",verb="LIST"'],
  ['GET', '/api/v1/namespaces/a/pods', '', 'scope="namespace",subresource="",verb="LIST"'],
  ['GET', '/api/v1/pods?watch=1', '', 'scope="cluster",subresource="",verb="WATCH"'],
  ['POST', '/api/v1/namespaces/a/pods', '', 'scope="resource",subresource="",verb="POST"'],
  ['PUT', '/api/v1/namespaces/a/pods/b/status', '', 'subresource="status",verb="PUT"'],
  ['GET', '/api/v1/namespaces/a/pods/b/log', '', 'subresource="log",verb="CONNECT"'],
  ['DELETE', '/api/v1/namespaces/a/pods', '', 'scope="namespace",subresource="",verb="DELETE"'],
  ['PATCH', '/api/v1/nodes/b', 'application/apply-patch+yaml', 'verb="APPLY"'],
  ['PATCH', '/api/v1/nodes/b', 'application/merge-patch+json', 'verb="PATCH"'],
  ['FOO', '/healthz', '', 'scope="",subresource="/healthz",verb="other"'],
])('%s %s has the labels of a real server', (...[method, path, contentType, labels]) => {
  const series = new MetricSeries()
  const metrics = new ServerMetrics({ monotonicMs: () => 5 }, series)
  const request = { info: parseRequest(method, path), contentType }
  metrics.answered(request, { code: 200, startMs: 0, size: 10 })
  expect(series.text()).toContain(labels)
})

test('the requests in flight are the most of the last second', () => {
  const series = new MetricSeries()
  let nowMs = 0
  const metrics = new ServerMetrics({ monotonicMs: () => nowMs }, series)
  const info = parseRequest('GET', '/api/v1/pods')
  const ends = [metrics.begin(info, 0), metrics.begin(info, 0)]
  ends[0]?.()
  metrics.refresh()
  expect(series.text()).toContain('requests{request_kind="readOnly"} 2\n')
  nowMs = 1000
  metrics.refresh()
  expect(series.text()).toContain('requests{request_kind="readOnly"} 1\n')
})
