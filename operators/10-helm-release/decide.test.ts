import { expect, test } from 'vitest'
import { decide, type Situation } from './decide.ts'

type Row = Situation['revisions'][number]

const uid = 'u'
const nowMs = 1_000_000
const timeoutMs = 60_000

function revision(number: number, status: string, more: Partial<Row> = {}): Row {
  const digest = 'new'
  const lastDeployedMs = nowMs - 1000
  return { revision: number, status, owner: uid, digest, tests: 'none', lastDeployedMs, ...more }
}

function situation(revisions: readonly Row[], more: Partial<Situation> = {}): Situation {
  return {
    uid,
    desired: 'new',
    failures: { install: 0, upgrade: 0 },
    revisions,
    install: { retries: 0 },
    upgrade: { retries: 0, strategy: 'rollback' },
    test: { enable: false, ignoreFailures: false },
    timeoutMs,
    nowMs,
    ...more,
  }
}

const failed = (install: number, upgrade = install): Situation['failures'] => ({ install, upgrade })

const old = { digest: 'old' }
const retry = { retries: 1 }
const retryUpgrade = { retries: 1, strategy: 'rollback' } as const
const deployedOld = revision(1, 'superseded', old)
const tested = { enable: true, ignoreFailures: false }

const cases: readonly (readonly [
  when: string,
  rows: readonly Row[],
  more: Partial<Situation>,
  next: string,
])[] = [
  ['there is no release', [], {}, 'install'],
  ['the history of an uninstalled release is left', [revision(1, 'uninstalled')], {}, 'install'],
  ['the install failed and was removed', [], { failures: failed(1), install: retry }, 'install'],
  ['no retry of the install is left', [], { failures: failed(2), install: retry }, 'nothing'],
  ['retries have no limit', [], { failures: failed(99), install: { retries: -1 } }, 'install'],
  ['the release is as desired', [revision(1, 'deployed')], {}, 'nothing'],
  ['chart or values changed', [revision(1, 'deployed', old)], {}, 'upgrade'],
  ['a person made the release', [revision(1, 'deployed', { digest: undefined })], {}, 'upgrade'],
  ['our helm was killed in an install', [revision(1, 'pending-install')], {}, 'unlock 1'],
  [
    'our helm was killed in an upgrade',
    [revision(2, 'pending-upgrade'), deployedOld],
    {},
    'unlock 2',
  ],
  ['another helm is running', [revision(1, 'pending-upgrade', { owner: undefined })], {}, 'wait'],
  [
    'another helm ran longer than the timeout',
    [revision(1, 'pending-upgrade', { owner: undefined, lastDeployedMs: nowMs - timeoutMs })],
    {},
    'unlock 1',
  ],
  ['an uninstall was interrupted', [revision(1, 'uninstalling')], {}, 'uninstall'],
  ['an install was interrupted', [revision(1, 'failed')], {}, 'upgrade'],
  ['an install failed', [revision(1, 'failed')], { failures: failed(1) }, 'nothing'],
  [
    'an install failed, a retry is left',
    [revision(1, 'failed')],
    { failures: failed(1), install: retry },
    'uninstall',
  ],
  [
    'an install failed for the last time',
    [revision(1, 'failed')],
    { failures: failed(2), install: retry },
    'nothing',
  ],
  [
    'the last failure of an install is remediated, too',
    [revision(1, 'failed')],
    { failures: failed(1), install: { retries: 0, remediateLastFailure: true } },
    'uninstall',
  ],
  ['an upgrade failed', [revision(2, 'failed'), deployedOld], { failures: failed(1) }, 'nothing'],
  [
    'an upgrade failed, a retry is left',
    [revision(2, 'failed'), deployedOld],
    { failures: failed(1), upgrade: retryUpgrade },
    'rollback 1',
  ],
  [
    'an upgrade failed, and the strategy is uninstall',
    [revision(2, 'failed'), deployedOld],
    { failures: failed(1), upgrade: { retries: 1, strategy: 'uninstall' } },
    'uninstall',
  ],
  [
    'an upgrade failed for the last time',
    [revision(2, 'failed'), deployedOld],
    { failures: failed(2), upgrade: retryUpgrade },
    'rollback 1',
  ],
  [
    'an upgrade was rolled back, a retry is left',
    [revision(3, 'deployed', old), revision(2, 'failed'), deployedOld],
    { failures: failed(1), upgrade: retryUpgrade },
    'upgrade',
  ],
  [
    'an upgrade was rolled back for the last time',
    [revision(3, 'deployed', old), revision(2, 'failed'), deployedOld],
    { failures: failed(2), upgrade: retryUpgrade },
    'nothing',
  ],
  [
    'an upgrade failed, and retries are not limited',
    [revision(2, 'failed'), deployedOld],
    { failures: failed(9), upgrade: { retries: -1, strategy: 'rollback' } },
    'rollback 1',
  ],
  [
    'the release was uninstalled after a failed upgrade',
    [],
    { failures: failed(0, 1), upgrade: { retries: 1, strategy: 'uninstall' } },
    'install',
  ],
  [
    'a failed install was changed, and failed again',
    [revision(2, 'failed'), revision(1, 'failed', old)],
    { failures: failed(1, 0) },
    'nothing',
  ],
  [
    'the earlier revisions were uninstalled',
    [revision(3, 'failed'), revision(2, 'uninstalled', old), deployedOld],
    { failures: failed(1), install: retry },
    'uninstall',
  ],
  [
    'tests of an install failed, which ignores them',
    [revision(1, 'deployed', { tests: 'failed' })],
    { test: tested, install: { retries: 0, ignoreTestFailures: true } },
    'nothing',
  ],
  ['a failed release was changed', [revision(2, 'failed', old), deployedOld], {}, 'upgrade'],
  ['the tests are due', [revision(1, 'deployed', { tests: 'due' })], { test: tested }, 'test'],
  ['tests are not enabled', [revision(1, 'deployed', { tests: 'due' })], {}, 'nothing'],
  [
    'the tests of an upgrade failed',
    [revision(2, 'deployed', { tests: 'failed' }), deployedOld],
    { failures: failed(1), test: tested, upgrade: retryUpgrade },
    'rollback 1',
  ],
  [
    'the process stopped before it counted failed tests',
    [revision(1, 'deployed', { tests: 'failed' })],
    { test: tested },
    'test',
  ],
  [
    'failed tests are ignored',
    [revision(1, 'deployed', { tests: 'failed' })],
    { test: { enable: true, ignoreFailures: true } },
    'nothing',
  ],
]

test.for(cases)('when %s', ([, rows, more, expected]) => {
  const next = decide(situation(rows, more))
  expect('revision' in next ? `${next.do} ${next.revision}` : next.do).toBe(expected)
})

test('nothing is left to do for a release only if it is as desired', () => {
  expect(decide(situation([revision(1, 'deployed')]))).toMatchObject({ isReleased: true })
  expect(decide(situation([revision(1, 'failed')], { failures: failed(1) }))).toMatchObject({
    isReleased: false,
  })
})

test('a failure uses the retries of the install until a revision was good', () => {
  expect(decide(situation([revision(1, 'failed', old)]))).toMatchObject({ counts: 'install' })
  expect(decide(situation([revision(1, 'deployed', old)]))).toMatchObject({ counts: 'upgrade' })
})
