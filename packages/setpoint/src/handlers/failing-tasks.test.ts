import { SpanStatusCode, trace } from '@opentelemetry/api'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { testWorld } from '@setpoint/cluster'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { defineResource } from '../definition/index.ts'
import { readText } from '../host/index.ts'
import { CustomResourceDefinition } from '../kinds/index.ts'
import { operator } from '../operator/index.ts'

const Volume = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Volume',
  spec: z.object({ size: z.string() }),
  conditions: ['Ready'],
})

test('failing timers and daemons are in Ready, in metrics and in traces, until they succeed', async () => {
  const exporter = new InMemorySpanExporter()
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  )
  let isBroken = true
  const volumes = operator(Volume)
    .every(
      '1m',
      async () => {
        if (isBroken) throw new Error('the backup failed')
      },
      { id: 'backup', backoff: { first: '10s', max: '30s' } },
    )
    .daemon(
      async (_, { sleep }) => {
        if (isBroken) throw new Error('the pipe broke')
        await sleep('1h')
      },
      { id: 'pipe', backoff: { first: '10s', max: '30s' } },
    )
  await using world = await testWorld({
    operators: [],
    seed: 5,
    workloads: 'off',
    start: { probes: {} },
  })
  const { client, host } = world
  await client.create(CustomResourceDefinition, Volume.crd())
  await world.restart(volumes)
  await client.create(Volume, { metadata: { name: 'data' }, spec: { size: '1G' } })
  const ready = async () => (await client.get(Volume, 'data')).status?.conditions?.[0]
  await host.sleep(10 * 60_000)
  expect(await ready()).toMatchObject({
    status: 'False',
    reason: 'ReconcileFailed',
    message: expect.stringMatching(
      /(?=.*backup: the backup failed)(?=.*pipe: the pipe broke)/,
    ) as string,
  })
  const { body } = await host.request({ method: 'GET', url: `${world.running.probesUrl}/metrics` })
  const metrics = await readText(body, 1_000_000)
  for (const handler of ['backup', 'pipe']) {
    expect(metrics).toMatch(
      new RegExp(
        `setpoint_task_runs_total{controller="volumes.example.com",handler="${handler}",result="error"} [1-9]`,
      ),
    )
  }
  const failed = exporter
    .getFinishedSpans()
    .filter(({ status }) => status.code === SpanStatusCode.ERROR)
  expect(new Set(failed.map(({ name }) => name))).toEqual(new Set(['timer backup', 'daemon pipe']))
  isBroken = false
  await host.sleep(5 * 60_000)
  expect(await ready()).toMatchObject({ status: 'True' })
  world.writes()
  await host.sleep(10 * 60_000)
  expect(world.writes()).toEqual([])
  trace.disable()
})
