import { expect, test } from 'vitest'
import { ApiError } from '../client/index.ts'
import { GiveUpError, RetryLaterError } from '../controller/index.ts'
import { countAttempt, decideRetry, type Tries } from './retry-decision.ts'

const conflict = new ApiError('the update', { code: 409, reason: 'Conflict', message: 'changed' })
const later = (ms: number) => new RetryLaterError('later', { after: ms })
const failure = new Error('no')

/** The decisions about errors in a row. */
function decisions(errors: readonly unknown[], options = {}): string[] {
  let tries: Tries = { attempts: 0, delays: 0 }
  return errors.map((error) => {
    tries = countAttempt(tries, error)
    const decision = decideRetry(error, tries, options)
    if (decision.type !== 'retry') return decision.type
    return `${decision.afterMs}${decision.isReported ? '' : ' unreported'}`
  })
}

test.for([
  ['failures', [failure, failure], {}, ['60000', '60000']],
  ['failures up to a number', [failure, failure], { retries: 1 }, ['60000', 'giveUp']],
  [
    'later',
    [later(5), later(5), failure],
    { retries: 1 },
    ['5 unreported', '5 unreported', '60000'],
  ],
  ['given up', [new GiveUpError('no')], {}, ['giveUp']],
  ['ignored', [failure], { onFailure: 'ignore' }, ['ignore']],
  ['a conflict that is ignored otherwise', [conflict], { onFailure: 'ignore' }, ['100 unreported']],
  [
    'conflicts in a row',
    Array.from({ length: 7 }, () => conflict),
    { retries: 1 },
    [
      '100 unreported',
      '200 unreported',
      '400 unreported',
      '800 unreported',
      '1600 unreported',
      '3200',
      '6400',
    ],
  ],
] as const)('decides about %s', ([, errors, options, expected]) => {
  expect(decisions(errors, options)).toEqual(expected)
})
