import * as z from 'zod'
import { expect, test } from 'vitest'
import { defineResource } from '../../definition/index.ts'
import { operator } from '../../operator/index.ts'

const Volume = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Volume',
  spec: z.object({ size: z.string(), tags: z.record(z.string(), z.string()).optional() }),
})

const nothing = async () => undefined

test('uses the function name, or the handler type with a number, as the id', () => {
  const named = async function createFn() {}
  const { handlers } = operator(Volume)
    .onCreate(named)
    .onCreate(async () => undefined)
    .onUpdate(async () => undefined)
    .onUpdate(async () => undefined)
    .onField('spec.size', async () => undefined)
    .onField('spec.tags.team', async () => undefined)
    .every('30s', async () => undefined)
    .daemon(async () => undefined)
    .onEvent(async () => undefined)
    .onResume(async () => undefined, { id: 'again' }).declaration
  expect(handlers.map(({ id }) => id)).toEqual([
    'createFn',
    'create',
    'update',
    'update-2',
    'field',
    'field-2',
    'every',
    'daemon',
    'event',
    'again',
  ])
})

test('refuses invalid declarations with an explanation', () => {
  const volume = operator(Volume)
  const wrong: [() => unknown, RegExp][] = [
    [() => volume.onCreate(nothing).onUpdate(nothing), /two handlers called "nothing"/],
    [() => volume.onCreate(nothing, { id: 'a' }).daemon(nothing, { id: 'a' }), /two handlers/],
    [() => volume.onField('spec.sise' as never, nothing), /spec\.sise, which Volume does not have/],
    [() => volume.onField('status.x' as never, nothing), /cannot follow the field status\.x/],
    [() => volume.onField('metadata.name', nothing), /cannot follow the field metadata\.name/],
    [() => volume.onUpdate(nothing, { field: 'spec.no' }), /spec\.no, which Volume does not have/],
    [() => volume.onUpdate(nothing, { new: 'x' }), /a value filter without a field/],
    [() => volume.onCreate(nothing, { retries: 1.5 }), /retries that are not a whole number/],
    [() => volume.onCreate(nothing, { timeout: 0 }), /a time limit that is not positive/],
    [
      () => volume.onCreate(nothing, { backoff: 'soon' }),
      /backoff is "soon", which is not a duration/,
    ],
    [() => volume.every('often', nothing), /every is "often", which is not a duration/],
    [() => volume.every('* * 99 * *', nothing), /invalid cron expression/],
    [() => volume.every(0, nothing), /every 0 ms/],
    [() => volume.every({ every: '5m', timeZone: 'Mars/X' }, nothing), /an interval has no time/],
    [() => volume.every({ every: '@every 5m', timeZone: 'Mars/X' }, nothing), /is not a time zone/],
    [() => volume.every('5m', nothing, { field: 'spec.no' }), /spec\.no, which Volume does not/],
    [() => volume.onCreate(nothing, { id: 'conditions' }), /would overwrite status\.conditions/],
    [() => volume.onDelete(nothing).onDelete(nothing), /two handlers called "nothing"/],
    [() => volume.onDelete(nothing, { retries: -1 }), /retries that are not a whole number/],
    [() => volume.index('a', () => []).index('a', () => []), /two indexes called "a"/],
  ]
  for (const [declare, message] of wrong) {
    expect(declare).toThrow(message)
    expect(declare).toThrow(
      expect.objectContaining({
        code: expect.stringMatching(/^(OPERATOR|DURATION)_INVALID$/) as string,
      }) as Error,
    )
  }
})
