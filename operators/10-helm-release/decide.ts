import type { Revision } from './releases.ts'

/** Whose retries a failure uses: without an earlier good revision, those of the install. */
export type Attempt = 'install' | 'upgrade'

/** What the operator does next with a release. */
export type Next =
  | { readonly do: Attempt | 'test'; readonly counts: Attempt; readonly why: string }
  | { readonly do: 'uninstall'; readonly why: string }
  | { readonly do: 'rollback'; readonly revision: number; readonly why: string }
  | { readonly do: 'unlock'; readonly revision: number; readonly why: string }
  | { readonly do: 'wait'; readonly untilMs: number; readonly why: string }
  /** Nothing is left to do: the release is as desired, or no retry is left. */
  | { readonly do: 'nothing'; readonly isReleased: boolean; readonly why: string }

type Row = Pick<Revision, 'revision' | 'status' | 'owner' | 'digest' | 'tests' | 'lastDeployedMs'>

/** What the decision depends on. */
export interface Situation {
  readonly uid: string
  /** The digest of the desired chart and values. */
  readonly desired: string
  /** The failed attempts with the desired digest. */
  readonly failures: Readonly<Record<Attempt, number>>
  /** Newest first. */
  readonly revisions: readonly Row[]
  readonly install: Remediation
  readonly upgrade: Remediation & { readonly strategy: 'rollback' | 'uninstall' }
  readonly test: { readonly enable: boolean; readonly ignoreFailures: boolean }
  readonly timeoutMs: number
  readonly nowMs: number
}

interface Remediation {
  readonly retries: number
  readonly remediateLastFailure?: boolean | undefined
  readonly ignoreTestFailures?: boolean | undefined
}

/**
 * The next step of a release. It depends only on the stored revisions, the desired digest and the
 * counted failures, so a new process continues where an old one stopped. An attempt that was
 * interrupted is not a failure: it was not counted.
 */
export function decide(situation: Situation): Next {
  const { uid, desired, revisions, nowMs, timeoutMs } = situation
  const [newest] = revisions
  if (newest === undefined || newest.status === 'uninstalled') {
    return attempt('install', { situation, counts: 'install', why: 'there is no release' })
  }
  const { revision, status } = newest
  if (status === 'uninstalling') return { do: 'uninstall', why: 'an uninstall was interrupted' }
  if (status.startsWith('pending-')) {
    const untilMs = newest.lastDeployedMs + timeoutMs
    const why = `revision ${revision} is ${status}`
    // Only one process works on an object, and helm never outlives it: our helm does not run.
    if (newest.owner === uid || nowMs >= untilMs) return { do: 'unlock', revision, why }
    return { do: 'wait', untilMs, why: `${why}: another helm may be running` }
  }
  const good = goodIn(revisions.slice(1), situation)
  if (newest.digest !== desired) {
    const counts = (good ?? goodIn([newest], situation)) === undefined ? 'install' : 'upgrade'
    return attempt('upgrade', { situation, counts, why: 'chart or values differ' })
  }
  const counts = good === undefined ? 'install' : 'upgrade'
  if (!isGood(newest, situation, counts)) return afterFailure(newest, situation, good)
  if (situation.test.enable && newest.tests === 'due') {
    return { do: 'test', counts, why: `revision ${revision} is untested` }
  }
  return { do: 'nothing', isReleased: true, why: `revision ${revision} is deployed` }
}

function attempt(
  action: Attempt,
  {
    situation,
    counts,
    why,
  }: { readonly situation: Situation; readonly counts: Attempt; readonly why: string },
): Next {
  if (mayTry(counts, situation)) return { do: action, counts, why }
  return { do: 'nothing', isReleased: false, why: 'no retry is left' }
}

/** The newest of these revisions that was deployed, and not uninstalled since. */
function goodIn(revisions: readonly Row[], situation: Situation): Row | undefined {
  const end = revisions.findIndex(({ status }) => status === 'uninstalled')
  const since = end === -1 ? revisions : revisions.slice(0, end)
  return since.find((one) => isGood(one, situation, 'upgrade'))
}

function afterFailure(newest: Row, situation: Situation, good: Row | undefined): Next {
  const { revision, status } = newest
  const counts = good === undefined ? 'install' : 'upgrade'
  if (situation.failures[counts] === 0) {
    // The process stopped before it counted the failure.
    if (status === 'failed') {
      return { do: 'upgrade', counts, why: `revision ${revision} was interrupted` }
    }
    return { do: 'test', counts, why: `the tests of revision ${revision} failed` }
  }
  const { retries, remediateLastFailure = counts === 'upgrade' && retries !== 0 } =
    situation[counts]
  const why = `revision ${revision} failed`
  if (!mayTry(counts, situation) && !remediateLastFailure) {
    return { do: 'nothing', isReleased: false, why }
  }
  if (good === undefined || situation.upgrade.strategy === 'uninstall') {
    return { do: 'uninstall', why }
  }
  return { do: 'rollback', revision: good.revision, why }
}

function mayTry(action: Attempt, { failures, ...situation }: Situation): boolean {
  const { retries } = situation[action]
  return retries < 0 || failures[action] <= retries
}

function isGood(
  { status, tests }: Row,
  { test, ...situation }: Situation,
  action: Attempt,
): boolean {
  if (status !== 'deployed' && status !== 'superseded') return false
  const { ignoreTestFailures = test.ignoreFailures } = situation[action]
  return !test.enable || ignoreTestFailures || tests !== 'failed'
}
