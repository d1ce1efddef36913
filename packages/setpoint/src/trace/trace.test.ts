import { createRequire } from 'node:module'
import { context, trace } from '@opentelemetry/api'
import type * as hooks from '@opentelemetry/context-async-hooks'
import type * as sdk from '@opentelemetry/sdk-trace-base'
import { testWorld } from '@setpoint/cluster'
import { afterEach, expect, test } from 'vitest'
import * as z from 'zod'
import { RetryLaterError } from '../controller/index.ts'
import { defineResource } from '../definition/index.ts'
import { ConfigMap } from '../kinds/index.ts'
import { type AnyOperator, operator } from '../operator/index.ts'
import { inSpan } from './index.ts'

// As Node loads it: Node cannot load the build of the SDK that a bundler would choose.
const require = createRequire(import.meta.url)
const { AsyncLocalStorageContextManager } =
  require('@opentelemetry/context-async-hooks') as typeof hooks
const { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } =
  require('@opentelemetry/sdk-trace-base') as typeof sdk

const Widget = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  spec: z.object({ text: z.string() }),
})

const exporter = new InMemorySpanExporter()

function installSdk(): void {
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  trace.setGlobalTracerProvider(provider)
}

afterEach(() => {
  trace.disable()
  context.disable()
  exporter.reset()
})

/** The spans of operators that reconcile one object that is created and changed. */
async function spansOf(...operators: AnyOperator[]): Promise<sdk.ReadableSpan[]> {
  const election = { name: 'widgets', identity: 'one' }
  await using world = await testWorld({ operators, seed: 5, workloads: 'off', start: { election } })
  const { host, client } = world
  await host.sleep(5_000)
  await client.create(Widget, { metadata: { name: 'a' }, spec: { text: 'one' } })
  await host.sleep(5_000)
  await client.patch(Widget, 'a', { merge: { spec: { text: 'two' } } })
  await host.sleep(5_000)
  await world.stop()
  return exporter.getFinishedSpans()
}

const widgets = operator(Widget)
  .owns(ConfigMap)
  .reconcile(async ({ spec }, { apply }) => {
    await apply(ConfigMap, { data: { text: spec.text } })
  })

test('makes a trace of each reconcile, with its reasons and its requests', async () => {
  installSdk()
  const spans = await spansOf(widgets)
  const runs = spans.filter(({ name }) => name === 'reconcile widgets.example.com')
  expect(runs).toHaveLength(2)
  expect(new Set(runs.map((span) => span.spanContext().traceId)).size).toBe(2)
  const [, second] = runs
  expect(second?.parentSpanContext).toBeUndefined()
  expect(second?.attributes).toMatchObject({
    'setpoint.operator': 'widgets.example.com',
    'setpoint.key': 'default/a',
    'setpoint.run.id': expect.any(String) as string,
    'setpoint.queue.wait_ms': 0,
    'setpoint.event.age_ms': expect.any(Number) as number,
    'setpoint.event.time': expect.stringMatching(/^2030-01-01T00:00:1/) as string,
  })
  expect(second?.events.map(({ name, attributes }) => ({ name, attributes }))).toMatchObject([
    {
      name: 'reason',
      attributes: {
        'setpoint.cause': 'change',
        'setpoint.change': 'changed',
        'k8s.kind': 'Widget',
        'setpoint.object': 'default/a',
        'setpoint.fields': expect.arrayContaining(['spec.text']) as string[],
      },
    },
  ])
  const requests = spans.filter((span) => !runs.includes(span))
  const ids = runs.map((span) => span.spanContext().spanId)
  // Neither watches nor renewals of the Lease: they are not part of a reconcile.
  expect(requests.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual(ids)
  const [, request] = requests
  const template = '/api/v1/namespaces/{namespace}/configmaps/{name}'
  expect(request?.name).toBe(`PUT ${template}`)
  expect(request?.attributes).toMatchObject({
    'http.request.method': 'PUT',
    'http.response.status_code': 200,
    'url.template': template,
    'k8s.verb': 'update',
    'k8s.resource': 'configmaps',
    'k8s.namespace.name': 'default',
    'k8s.object.name': 'a',
  })
})

test('records a failure on its span, but not a RetryLaterError', async () => {
  installSdk()
  const failing = operator(Widget, { name: 'failing' }).reconcile(async (_, { client }) => {
    await client.get(ConfigMap, 'nowhere')
  })
  const waiting = operator(Widget, { name: 'waiting' }).reconcile(async () => {
    throw new RetryLaterError('not yet', { after: '1h' })
  })
  const spans = await spansOf(failing, waiting)
  const [run] = spans.filter(({ name }) => name === 'reconcile failing')
  expect(run?.status.code).toBe(2)
  expect(run?.status.message).toContain('nowhere')
  expect(run?.attributes['error.type']).toBe('API_NOT_FOUND')
  expect(run?.events.map(({ name }) => name)).toContain('exception')
  const request = spans.find(({ attributes }) => attributes['k8s.verb'] === 'get')
  expect(request?.status.code).toBe(2)
  expect(request?.attributes['http.response.status_code']).toBe(404)
  const [late] = spans.filter(({ name }) => name === 'reconcile waiting')
  expect(late?.status.code).toBe(0)
})

test('creates and computes nothing without an SDK', async () => {
  const asked: string[] = []
  const attributes = () => {
    asked.push('attributes')
    return {}
  }
  const span = await inSpan({ name: 'x', kind: 'run', attributes }, async (active) => active)
  expect(span).toBeUndefined()
  expect(asked).toEqual([])
  expect(await spansOf(widgets)).toEqual([])
})
