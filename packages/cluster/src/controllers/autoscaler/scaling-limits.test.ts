import type { HorizontalPodAutoscalerBehavior, HPAScalingPolicy } from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { limitRecommendation } from './scaling-limits.ts'
import { RecommendationHistory } from './recommendation-history.ts'

type Recommended = Parameters<typeof limitRecommendation>[0]

const recommended = (
  current: number,
  desired: number,
  more: Partial<Recommended> = {},
): Recommended => ({
  current,
  desired,
  min: 2,
  max: 10,
  behavior: undefined,
  nowMs: 1_000_000,
  ...more,
})

const policy = (type: string, value: number, periodSeconds = 60): HPAScalingPolicy => ({
  type,
  value,
  periodSeconds,
})

test.each<[string, Recommended, number, string, string]>([
  ['within the bounds', recommended(3, 5), 5, 'False', 'DesiredWithinRange'],
  ['below the minimum', recommended(3, 1), 2, 'True', 'TooFewReplicas'],
  ['above the maximum', recommended(6, 20), 10, 'True', 'TooManyReplicas'],
  ['more than double', recommended(3, 9), 6, 'True', 'ScaleUpLimit'],
  ['more than four from a small number', recommended(2, 9), 4, 'True', 'ScaleUpLimit'],
])('without a behavior, limits a recommendation %s', (_, given, ...[desired, status, reason]) => {
  const limited = limitRecommendation(given, new RecommendationHistory(0))
  expect(limited.desired).toBe(desired)
  expect(limited.limited.slice(0, 2)).toEqual([status, reason])
  expect(limited.able[0]).toBe('ReadyForNewScale')
})

test('scales down when there was no higher recommendation for five minutes', () => {
  const memory = new RecommendationHistory(0)
  memory.begin(6, 0)
  const at = (nowMs: number) => limitRecommendation(recommended(6, 3, { nowMs }), memory)
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

test.each<[string, Recommended, number, string]>([
  [
    'two pods at a time',
    recommended(3, 9, { behavior: rules({ policies: [policy('Pods', 2)] }) }),
    5,
    'ScaleUpLimit',
  ],
  [
    '50 percent more, rounded up',
    recommended(3, 9, { behavior: rules({ policies: [policy('Percent', 50)] }) }),
    5,
    'ScaleUpLimit',
  ],
  [
    'the larger of two policies',
    recommended(3, 9, {
      behavior: rules({ policies: [policy('Pods', 1), policy('Percent', 100)] }),
    }),
    6,
    'ScaleUpLimit',
  ],
  [
    'the smaller of two policies',
    recommended(3, 9, {
      behavior: rules({
        selectPolicy: 'Min',
        policies: [policy('Pods', 1), policy('Percent', 100)],
      }),
    }),
    4,
    'ScaleUpLimit',
  ],
  [
    'no change',
    recommended(3, 9, { behavior: rules({ selectPolicy: 'Disabled' }) }),
    3,
    'ScaleUpLimit',
  ],
  [
    'one pod less at a time',
    recommended(9, 3, { behavior: rules({}, { policies: [policy('Pods', 1)] }) }),
    8,
    'ScaleDownLimit',
  ],
  [
    '10 percent less, rounded down',
    recommended(9, 3, { behavior: rules({}, { policies: [policy('Percent', 10)] }) }),
    8,
    'ScaleDownLimit',
  ],
  [
    '100 percent less',
    recommended(9, 1, { behavior: rules({}, { policies: [policy('Percent', 100)] }) }),
    2,
    'TooFewReplicas',
  ],
])('policies allow %s', (_, given, ...[desired, reason]) => {
  const limited = limitRecommendation(given, new RecommendationHistory(0))
  expect(limited.desired).toBe(desired)
  expect(limited.limited[1]).toBe(reason)
})

test('counts changes within the period of a policy', () => {
  const memory = new RecommendationHistory(0)
  memory.changed(2, 950_000)
  memory.changed(5, 900_000)
  const behavior = rules({ policies: [policy('Pods', 3)] })
  expect(limitRecommendation(recommended(5, 9, { behavior }), memory).desired).toBe(6)
  expect(
    limitRecommendation(recommended(5, 9, { behavior, nowMs: 1_020_000 }), memory).desired,
  ).toBe(8)
})

test('stabilizes both directions with the windows of the behavior', () => {
  const memory = new RecommendationHistory(0)
  const behavior = rules(
    { stabilizationWindowSeconds: 60, policies: [policy('Percent', 900)] },
    { stabilizationWindowSeconds: 120, policies: [policy('Percent', 100)] },
  )
  memory.begin(4, 0)
  const at = (current: number, desired: number, nowMs: number) =>
    limitRecommendation(recommended(current, desired, { behavior, nowMs }), memory)
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
