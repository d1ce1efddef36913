import type { Revision } from './releases.ts'

/** What the operator does next with a release. */
export type Next =
  | { readonly do: 'install' | 'upgrade' | 'test' | 'uninstall'; readonly why: string }
  | { readonly do: 'rollback' | 'unlock'; readonly revision: number; readonly why: string }
  | { readonly do: 'wait'; readonly untilMs: number; readonly why: string }
  /** Nothing is left to do: the release is as desired, or no retry is left. */
  | { readonly do: 'nothing'; readonly isReleased: boolean; readonly why: string }

/** What the decision depends on. */
export interface Situation {
  readonly uid: string
  /** The digest of the desired chart and values. */
  readonly desired: string
  /** The failed attempts with the desired digest. */
  readonly failures: number
  /** Newest first. */
  readonly revisions: readonly Pick<
    Revision,
    'revision' | 'status' | 'owner' | 'digest' | 'tests' | 'lastDeployedMs'
  >[]
  readonly install: Remediation
  readonly upgrade: Remediation & { readonly strategy: 'rollback' | 'uninstall' }
  readonly test: { readonly enable: boolean; readonly ignoreFailures: boolean }
  readonly timeoutMs: number
  readonly nowMs: number
}

interface Remediation {
  readonly retries: number
  readonly remediateLastFailure?: boolean | undefined
}

/**
 * The next step of a release. It depends only on the stored revisions, the desired digest and the
 * counted failures, so a new process continues where an old one stopped. An attempt that was
 * interrupted is not a failure: it was not counted.
 */
export function decide(situation: Situation): Next {
  const { uid, desired, failures, revisions, nowMs, timeoutMs } = situation
  const [newest] = revisions
  const good = revisions.find((one) => isGood(one, situation) && one !== newest)
  const remediation = good === undefined ? situation.install : situation.upgrade
  const mayRetry = remediation.retries < 0 || failures <= remediation.retries
  if (newest === undefined || newest.status === 'uninstalled') {
    const { retries } = situation.install
    if (retries < 0 || failures <= retries) return { do: 'install', why: 'there is no release' }
    return { do: 'nothing', isReleased: false, why: 'no retry is left' }
  }
  const { revision, status } = newest
  if (status === 'uninstalling') return { do: 'uninstall', why: 'an uninstall was interrupted' }
  if (status.startsWith('pending-')) {
    const untilMs = newest.lastDeployedMs + timeoutMs
    const why = `revision ${revision} is ${status}`
    // Only one process works on an object, and it ends helm when it stops: ours does not run.
    if (newest.owner === uid || nowMs >= untilMs) return { do: 'unlock', revision, why }
    return { do: 'wait', untilMs, why: `${why}: another helm may be running` }
  }
  if (newest.digest !== desired) {
    const mayUpgrade = situation.upgrade.retries < 0 || failures <= situation.upgrade.retries
    if (failures === 0 || mayUpgrade) return { do: 'upgrade', why: 'chart or values differ' }
    return { do: 'nothing', isReleased: false, why: 'no retry is left' }
  }
  if (isGood(newest, situation)) return afterRelease(newest, situation)
  if (failures === 0) {
    // The process stopped before it counted the failure.
    if (status !== 'failed') return { do: 'test', why: `the tests of revision ${revision} failed` }
    return { do: 'upgrade', why: `revision ${revision} was interrupted` }
  }
  const { remediateLastFailure = good !== undefined && remediation.retries > 0 } = remediation
  const why = `revision ${revision} failed`
  if (!mayRetry && !remediateLastFailure) return { do: 'nothing', isReleased: false, why }
  if (good === undefined || situation.upgrade.strategy === 'uninstall') {
    return { do: 'uninstall', why }
  }
  return { do: 'rollback', revision: good.revision, why }
}

function afterRelease(
  { revision, tests }: Pick<Revision, 'revision' | 'tests'>,
  { test }: Situation,
): Next {
  if (test.enable && tests === 'due') return { do: 'test', why: `revision ${revision} is untested` }
  return { do: 'nothing', isReleased: true, why: `revision ${revision} is deployed` }
}

function isGood(
  { status, tests }: Pick<Revision, 'status' | 'tests'>,
  { test }: Situation,
): boolean {
  const isDeployed = status === 'deployed' || status === 'superseded'
  return isDeployed && !(test.enable && !test.ignoreFailures && tests === 'failed')
}
