import type { HorizontalPodAutoscalerBehavior, HPAScalingPolicy } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { limitWish } from './scaling-limits.ts'
import { ScalingMemory } from './scaling-memory.ts'

type Wish = Parameters<typeof limitWish>[0]

const wish = (current: number, desired: number, more: Partial<Wish> = {}): Wish => ({
  ...{ current, desired, min: 2, max: 10, behavior: undefined, nowMs: 1_000_000 },
  ...more,
})

const policy = (type: string, value: number, periodSeconds = 60): HPAScalingPolicy => ({
  ...{ type, value, periodSeconds },
})

test.each<[string, Wish, number, string, string]>([
  ['within bounds', wish(3, 5), 5, 'False', 'DesiredWithinRange'],
  ['below the minimum', wish(3, 1), 2, 'True', 'TooFewReplicas'],
  ['above the maximum', wish(6, 20), 10, 'True', 'TooManyReplicas'],
  ['more than twice as many', wish(3, 9), 6, 'True', 'ScaleUpLimit'],
  ['up to four at once', wish(2, 9), 4, 'True', 'ScaleUpLimit'],
])('without rules, a wish that is %s', (_, wished, ...[desired, status, reason]) => {
  const limited = limitWish(wished, new ScalingMemory(0))
  expect(limited.desired).toBe(desired)
  expect(limited.limited.slice(0, 2)).toEqual([status, reason])
  expect(limited.able[0]).toBe('ReadyForNewScale')
})

test('less is granted when nothing more was asked for in five minutes', () => {
  const memory = new ScalingMemory(0)
  memory.begin(6, 0)
  const at = (nowMs: number) => limitWish(wish(6, 3, { nowMs }), memory)
  expect(at(299_000)).toMatchObject({
    desired: 6,
    able: ['ScaleDownStabilized', expect.anything()],
  })
  expect(at(301_000)).toMatchObject({ desired: 3, able: ['ReadyForNewScale', expect.anything()] })
})

const rules = (
  up: Partial<HorizontalPodAutoscalerBehavior['scaleUp']>,
  down: Partial<HorizontalPodAutoscalerBehavior['scaleDown']> = {},
): HorizontalPodAutoscalerBehavior => ({
  scaleUp: { stabilizationWindowSeconds: 0, ...up },
  scaleDown: { stabilizationWindowSeconds: 0, ...down },
})

test.each<[string, Wish, number, string]>([
  [
    'two pods at a time',
    wish(3, 9, { behavior: rules({ policies: [policy('Pods', 2)] }) }),
    5,
    'ScaleUpLimit',
  ],
  [
    'half as many again, rounded up',
    wish(3, 9, { behavior: rules({ policies: [policy('Percent', 50)] }) }),
    5,
    'ScaleUpLimit',
  ],
  [
    'the larger of both',
    wish(3, 9, { behavior: rules({ policies: [policy('Pods', 1), policy('Percent', 100)] }) }),
    ...([6, 'ScaleUpLimit'] as const),
  ],
  [
    'the smaller of both',
    wish(3, 9, {
      behavior: rules({
        selectPolicy: 'Min',
        policies: [policy('Pods', 1), policy('Percent', 100)],
      }),
    }),
    ...([4, 'ScaleUpLimit'] as const),
  ],
  ['not at all', wish(3, 9, { behavior: rules({ selectPolicy: 'Disabled' }) }), 3, 'ScaleUpLimit'],
  [
    'one pod less at a time',
    wish(9, 3, { behavior: rules({}, { policies: [policy('Pods', 1)] }) }),
    8,
    'ScaleDownLimit',
  ],
  [
    'a tenth less, rounded down',
    wish(9, 3, { behavior: rules({}, { policies: [policy('Percent', 10)] }) }),
    8,
    'ScaleDownLimit',
  ],
  [
    'all of them less',
    wish(9, 1, { behavior: rules({}, { policies: [policy('Percent', 100)] }) }),
    2,
    'TooFewReplicas',
  ],
])('rules allow %s', (_, wished, ...[desired, reason]) => {
  const limited = limitWish(wished, new ScalingMemory(0))
  expect(limited.desired).toBe(desired)
  expect(limited.limited[1]).toBe(reason)
})

test('what has changed in a period counts against its policy', () => {
  const memory = new ScalingMemory(0)
  memory.changed(2, 950_000)
  memory.changed(5, 900_000)
  const behavior = rules({ policies: [policy('Pods', 3)] })
  expect(limitWish(wish(5, 9, { behavior }), memory).desired).toBe(6)
  expect(limitWish(wish(5, 9, { behavior, nowMs: 1_020_000 }), memory).desired).toBe(8)
})

test('windows of rules hold a wish back in both directions', () => {
  const memory = new ScalingMemory(0)
  const behavior = rules(
    { stabilizationWindowSeconds: 60, policies: [policy('Percent', 900)] },
    { stabilizationWindowSeconds: 120, policies: [policy('Percent', 100)] },
  )
  memory.begin(4, 0)
  const at = (current: number, desired: number, nowMs: number) =>
    limitWish(wish(current, desired, { behavior, nowMs }), memory)
  expect(at(4, 8, 30_000)).toMatchObject({
    desired: 4,
    able: ['ScaleUpStabilized', expect.anything()],
  })
  expect(at(4, 8, 61_000).desired).toBe(8)
  expect(at(8, 3, 90_000)).toMatchObject({
    desired: 8,
    able: ['ScaleDownStabilized', expect.anything()],
  })
  expect(at(8, 3, 182_000).desired).toBe(3)
})
