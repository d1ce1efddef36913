import { expect, test } from 'vitest'
import { planRotation, type RotationState } from './rotation-plan.ts'

const times = { overlapMs: 10, renewAfter: 2 / 3 }
const quiet = {
  has: 'certificate',
  ca: { fromMs: 0, untilMs: 900 },
  nextCa: undefined,
  hasFormerCa: false,
  serving: { fromMs: 0, untilMs: 300 },
  coversHosts: true,
  registeredMs: 0,
} as const
const announced = {
  ...quiet,
  nextCa: { fromMs: 600, untilMs: 1500 },
  serving: { fromMs: 590, untilMs: 890 },
  registeredMs: 601,
}
const promoted = {
  ...quiet,
  ca: { fromMs: 600, untilMs: 1500 },
  hasFormerCa: true,
  serving: { fromMs: 611, untilMs: 911 },
}

type Row = readonly [string, RotationState, number, string, number?]

const rows: readonly Row[] = [
  ['a Secret without a certificate gets one', { has: 'nothing' }, 0, 'create'],
  ['a new certificate waits for its renewal', quiet, 0, 'wait', 200],
  ['the serving certificate is renewed at two thirds of its life', quiet, 200, 'renew'],
  ['missing hosts are added immediately', { ...quiet, coversHosts: false }, 1, 'renew'],
  ['an expired serving certificate is renewed', quiet, 400, 'renew'],
  [
    'the authority of a renewed certificate waits for two thirds of its life',
    { ...quiet, serving: { fromMs: 590, untilMs: 890 } },
    599,
    'wait',
    600,
  ],
  [
    'the next authority is announced at two thirds of the life of the current one',
    { ...quiet, serving: { fromMs: 590, untilMs: 890 } },
    600,
    'announce',
  ],
  ['both are due: the announcement comes first', quiet, 600, 'announce'],
  [
    'an announced authority waits for the overlap after the registration',
    announced,
    610,
    'wait',
    611,
  ],
  ['an announced authority is promoted after the overlap', announced, 611, 'promote'],
  [
    'an announced authority waits for the overlap even if the clock of the announcer was ahead',
    { ...announced, nextCa: { fromMs: 620, untilMs: 1500 } },
    615,
    'wait',
    630,
  ],
  [
    'an authority that is not registered is not promoted',
    { ...announced, registeredMs: undefined },
    700,
    'wait',
    790,
  ],
  [
    'a failing registration does not prevent a renewal',
    { ...announced, registeredMs: undefined },
    790,
    'renew',
  ],
  ['hosts are added during a rotation', { ...announced, coversHosts: false }, 605, 'renew'],
  ['the former authority stays for the overlap', promoted, 620, 'wait', 621],
  ['the former authority leaves after the overlap', promoted, 621, 'retire'],
  [
    'the former authority leaves before another one is promoted',
    { ...announced, hasFormerCa: true },
    611,
    'retire',
  ],
  ['an expired authority is replaced', quiet, 900, 'create'],
  [
    'after an expired authority, the announced one signs without waiting',
    { ...announced, registeredMs: undefined },
    900,
    'promote',
  ],
  ['two expired authorities are replaced', announced, 1500, 'create'],
]

test.each(rows.map(([sentence, ...row]) => ({ sentence, row })))('$sentence', ({ row }) => {
  const [state, nowMs, step, untilMs] = row
  const expected = step === 'wait' ? { do: step, untilMs } : { do: step }
  expect(planRotation(state, nowMs, times)).toEqual(expected)
})
