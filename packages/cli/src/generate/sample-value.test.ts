import { expect, test } from 'vitest'
import * as z from 'zod'
import { type AnyResourceDefinition, defineResource, duration, listMap, quantity } from 'setpoint'
import { Application } from '../../../../operators/01-application/application.ts'
import { ElevenStApp } from '../../../../operators/02-elevenst-app/elevenst-app.ts'
import { Memcached } from '../../../../operators/03-memcached/memcached.ts'
import { CronTab } from '../../../../operators/04-crontab/crontab.ts'
import { SampleDB } from '../../../../operators/05-sample-db/sample-db.ts'
import { sampleValue } from './sample-value.ts'

function sampleOf(definition: AnyResourceDefinition): unknown {
  const spec = definition.schema().properties?.['spec'] ?? {}
  return sampleValue(spec, 'spec')
}

test.each(
  [Application, ElevenStApp, Memcached, CronTab, SampleDB].map(
    (each) => [each.kind, each] as const,
  ),
)('generates a valid sample of %s', (_, definition) => {
  const result = definition.safeParse({
    metadata: { name: 'sample' },
    spec: sampleOf(definition),
  })
  expect(result).toMatchObject({ success: true })
})

test('has only required fields without defaults, with plausible values', () => {
  expect(sampleOf(Application)).toEqual({ image: 'nginx', port: 8080 })
})

test('respects constraints', () => {
  const Widget = defineResource({
    group: 'example.com',
    version: 'v1',
    kind: 'Widget',
    spec: z.object({
      mode: z.enum(['slow', 'fast']),
      count: z.int32().min(3).max(9).multipleOf(3),
      ratio: z.number().gt(0).lt(1),
      low: z.int32().max(-5),
      name: z.string().min(12),
      tag: z.string().regex(/^v\d+$/),
      at: z.iso.datetime(),
      size: quantity(),
      every: duration(),
      isOn: z.boolean(),
      parts: z
        .array(z.object({ name: z.string(), weight: z.int32() }))
        .min(2)
        .check(listMap('name')),
      labels: z.record(z.string(), z.string()),
      where: z.discriminatedUnion('type', [
        z.object({ type: z.literal('file'), path: z.string() }),
        z.object({ type: z.literal('url'), url: z.string() }),
      ]),
      note: z.string().optional(),
    }),
  })
  const spec = sampleOf(Widget)
  expect(Widget.safeParse({ metadata: { name: 'sample' }, spec })).toMatchObject({ success: true })
  expect(spec).toMatchInlineSnapshot(`
    {
      "at": "2026-01-02T03:04:05Z",
      "count": 3,
      "every": "30s",
      "isOn": true,
      "labels": {},
      "low": -5,
      "mode": "slow",
      "name": "example-exam",
      "parts": [
        {
          "name": "example",
          "weight": 1,
        },
        {
          "name": "example-2",
          "weight": 2,
        },
      ],
      "ratio": 0.5,
      "size": "1Gi",
      "tag": "v1",
      "where": {
        "path": "example",
        "type": "file",
      },
    }
  `)
})
