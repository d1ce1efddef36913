import { durationMs } from 'setpoint/host'
import { type Chart, chartOf, credentialsOf } from './chart.ts'
import { correctDrift } from './correct-drift.ts'
import { decide, type Next } from './decide.ts'
import { releaseDigest } from './digest.ts'
import { Helm, HelmError, HelmMissingError } from './helm.ts'
import { helmArguments, type HelmStep } from './helm-arguments.ts'
import type { HelmRelease } from './helm-release.ts'
import { type Revision, revisionsOf, unlock } from './releases.ts'
import { valuesOf } from './values.ts'
import { type Context, placeOf, ReleaseStatus } from './work.ts'

/** How long the work waits after a failure that is not counted: of a repository, for example. */
const retryMs = 30_000

/** How long the work waits before a retry: 5 s, doubled for each failure, at most 5 minutes. */
const retryDelayMs = (failures: number): number =>
  Math.min(5_000 * 2 ** Math.max(0, failures - 1), 300_000)

/** What is released. */
interface Desired {
  readonly helm: Helm
  readonly chart: Chart
  readonly digest: string
}

/** The parts of the work on one release. */
interface Work {
  readonly release: HelmRelease
  readonly context: Context
  readonly status: ReleaseStatus
  readonly desired: Desired
}

/** Works on a release until nothing is left to do. Returns when to work on it again. */
export async function advance(release: HelmRelease, context: Context): Promise<number> {
  const intervalMs = durationMs(release.spec.interval, 'interval')
  const status = new ReleaseStatus(release, context)
  await using workspace = await context.workspace()
  let desired: Desired
  try {
    const helm = await Helm.in(workspace, await context.client.kubeconfig())
    desired = await desiredOf(release, helm, context)
  } catch (error) {
    if (context.signal.aborted) throw error
    const reason = error instanceof HelmMissingError ? 'HelmMissing' : 'ArtifactFailed'
    const message = error instanceof Error ? error.message : String(error)
    status.state('Ready', { status: 'False', reason, message })
    await status.save(await revisions(release, context))
    return Math.min(retryMs, intervalMs)
  }
  const work = { release, context, status, desired }
  for (let hasFailed = false; ;) {
    const found = await revisions(release, context)
    const next = nextOf(work, found)
    if (next.do === 'wait') {
      status.state('Ready', { status: 'False', reason: 'PendingRelease', message: next.why })
      await status.save(found)
      return Math.max(1000, next.untilMs - context.now())
    }
    if (next.do === 'nothing') {
      if (next.isReleased) await stateReleased(work, found)
      else stateFailed(status, next.why)
      await status.save(found)
      return intervalMs
    }
    if (hasFailed && (next.do === 'install' || next.do === 'upgrade')) {
      stateFailed(status, next.why)
      await status.save(found)
      return retryDelayMs(status.failures(desired.digest)[next.counts])
    }
    if (next.do === 'unlock') {
      const { client, signal } = context
      await unlock(client, placeOf(release), { revision: next.revision, signal })
    } else if (!(await perform(next, work, found))) {
      // Without the delay, a failed remediation would be repeated immediately.
      if (next.do === 'rollback' || next.do === 'uninstall') return retryMs
      hasFailed = true
    }
  }
}

/** The chart and the values of a release, in the workspace. */
async function desiredOf(release: HelmRelease, helm: Helm, context: Context): Promise<Desired> {
  const { spec, metadata } = release
  const where = { namespace: metadata.namespace, signal: context.signal }
  const credentials = await credentialsOf(spec, context.client, where)
  const { values, secrets } = await valuesOf(spec, context.client, where)
  helm.secrets = [...secrets, ...(credentials === undefined ? [] : [credentials.password])]
  await helm.workspace.write('values.json', JSON.stringify(values))
  const chart = await chartOf(helm, spec, credentials)
  return { helm, chart, digest: releaseDigest(chart, values) }
}

async function revisions(release: HelmRelease, { client, signal }: Context): Promise<Revision[]> {
  return revisionsOf(client, placeOf(release), signal)
}

function nextOf({ release, context, status, desired }: Work, found: readonly Revision[]): Next {
  const { install, upgrade, test, timeout } = release.spec
  return decide({
    uid: release.metadata.uid,
    desired: desired.digest,
    failures: status.failures(desired.digest),
    revisions: found,
    install: install.remediation,
    upgrade: upgrade.remediation,
    test,
    timeoutMs: durationMs(timeout, 'timeout'),
    nowMs: context.now(),
  })
}

/** The condition of each step, and its name in messages and reasons. */
const steps = {
  install: { type: 'Released', title: 'Install', what: 'Helm install' },
  upgrade: { type: 'Released', title: 'Upgrade', what: 'Helm upgrade' },
  test: { type: 'TestSuccess', title: 'Test', what: 'Helm test' },
  rollback: { type: 'Remediated', title: 'Rollback', what: 'Helm rollback' },
  uninstall: { type: 'Remediated', title: 'Uninstall', what: 'Helm uninstall remediation' },
} as const

/** Does one step, counts its failure, and states the result. Returns whether it succeeded. */
async function perform(next: HelmStep, work: Work, found: readonly Revision[]): Promise<boolean> {
  const { release, context, status, desired } = work
  const { type, title, what } = steps[next.do]
  const { chart, digest } = desired
  const { name, namespace } = placeOf(release)
  const about = `release ${namespace}/${name} with chart ${chart.name}@${chart.version}`
  const message = `${what} of ${about}: ${next.why}`
  status.state('Ready', { status: 'Unknown', reason: 'Progressing', message })
  if (next.do === 'install' || next.do === 'upgrade') {
    status.begin(next.do, { version: chart.version, digest })
  }
  await status.save(found)
  const failure = await failureOf(desired.helm, helmArguments(release, next, { ...chart, digest }))
  const isOk = failure === undefined
  const reason = `${title}${isOk ? 'Succeeded' : 'Failed'}`
  const result = isOk ? `${what} succeeded for ${about}` : `${what} failed for ${about}: ${failure}`
  status.state(type, { status: isOk ? 'True' : 'False', reason, message: result })
  if (!isOk && 'counts' in next && isCounted(next, release)) status.countFailure(next.counts)
  await context.recordEvent({ type: isOk ? 'Normal' : 'Warning', reason, message: result })
  await status.save(await revisions(release, context))
  return isOk
}

function isCounted(
  next: HelmStep & { readonly counts: 'install' | 'upgrade' },
  { spec }: HelmRelease,
): boolean {
  const { ignoreTestFailures = spec.test.ignoreFailures } = spec[next.counts].remediation
  return next.do !== 'test' || !ignoreTestFailures
}

async function failureOf(helm: Helm, args: readonly string[]): Promise<string | undefined> {
  try {
    await helm.run(...args)
    return undefined
  } catch (error) {
    if (error instanceof HelmError) return error.message
    throw error
  }
}

/** Why the release is not as desired: the last remediation, or else the last attempt. */
function stateFailed(status: ReleaseStatus, why: string): void {
  const failed = [status.of('TestSuccess'), status.of('Released')].find(
    (condition) => condition?.status === 'False',
  )
  const remediated = status.of('Remediated')
  const messages = [remediated?.message, failed?.message].filter((text) => text !== undefined)
  const reason = remediated?.reason ?? failed?.reason ?? 'RetriesExceeded'
  const message = messages.length === 0 ? why : messages.join('; ')
  status.state('Ready', { status: 'False', reason, message })
}

/** The release is as desired: detects and corrects its drift, and states that it is ready. */
async function stateReleased(work: Work, found: readonly Revision[]): Promise<void> {
  const { release, context, status } = work
  const [newest] = found
  if (newest === undefined) return
  if (status.of('Released')?.status !== 'True') {
    // The process stopped before it stated the result.
    const { title, what } = steps[found.length === 1 ? 'install' : 'upgrade']
    const { name, namespace } = placeOf(release)
    const { chart } = newest
    const message = `${what} succeeded for release ${namespace}/${name} with chart ${chart.name}@${chart.version}`
    status.state('Released', { status: 'True', reason: `${title}Succeeded`, message })
  }
  const { test } = release.spec
  if (!test.enable) status.state('TestSuccess', undefined)
  status.state('Remediated', undefined)
  await correctDrift(release, newest, { status, context })
  const tested = status.of('TestSuccess')
  const best = tested?.status === 'True' ? tested : status.of('Released')
  const { reason = '', message = '' } = best ?? {}
  status.state('Ready', { status: 'True', reason, message })
  status.clearFailures()
}
