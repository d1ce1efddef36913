import { durationMs } from 'setpoint/host'
import { type Chart, chartOf, credentialsOf, releaseDigest } from './chart.ts'
import { decide, type Next } from './decide.ts'
import { driftOf } from './drift.ts'
import { Helm, HelmError, HelmMissingError } from './helm.ts'
import type { HelmRelease } from './helm-release.ts'
import { digestLabel, ownerLabel, type Revision, revisionsOf, unlock } from './releases.ts'
import { valuesOf } from './values.ts'
import { type Context, placeOf, ReleaseStatus } from './work.ts'

/** How long the work waits after a failure that is not helm's. */
const retryMs = 30_000

/** What is released. */
interface Desired {
  readonly helm: Helm
  readonly chart: Chart
  readonly digest: string
}

/** Works on a release until nothing is left to do. Returns when to work on it again. */
export async function advance(release: HelmRelease, context: Context): Promise<number> {
  const { spec } = release
  const intervalMs = durationMs(spec.interval, 'interval')
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
  for (;;) {
    const found = await revisions(release, context)
    const next = nextOf(release, { found, desired, status, nowMs: context.now() })
    if (next.do === 'wait') {
      status.state('Ready', { status: 'False', reason: 'PendingRelease', message: next.why })
      await status.save(found)
      return Math.max(1000, next.untilMs - context.now())
    }
    if (next.do === 'nothing') {
      await conclude(release, { next, found, status, context })
      return intervalMs
    }
    await perform(release, { next, desired, status, context, found })
  }
}

/** The chart and the values of a release, in the workspace. */
async function desiredOf(release: HelmRelease, helm: Helm, context: Context): Promise<Desired> {
  const { spec, metadata } = release
  const where = { namespace: metadata.namespace ?? '', signal: context.signal }
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

function nextOf(
  { metadata, spec }: HelmRelease,
  {
    found,
    desired,
    status,
    nowMs,
  }: {
    readonly found: readonly Revision[]
    readonly desired: Desired
    readonly status: ReleaseStatus
    readonly nowMs: number
  },
): Next {
  const { install, upgrade, test, timeout } = spec
  return decide({
    uid: metadata.uid,
    desired: desired.digest,
    failures: status.failures(desired.digest),
    revisions: found,
    install: install.remediation,
    upgrade: upgrade.remediation,
    test,
    timeoutMs: durationMs(timeout, 'timeout'),
    nowMs,
  })
}

/** One step, with its parts. */
interface Step {
  readonly next: Exclude<Next, { readonly do: 'wait' | 'nothing' }>
  readonly desired: Desired
  readonly status: ReleaseStatus
  readonly context: Context
  readonly found: readonly Revision[]
}

const titles = {
  install: 'Install',
  upgrade: 'Upgrade',
  test: 'Test',
  rollback: 'Rollback',
  uninstall: 'Uninstall',
} as const

const conditions = {
  install: 'Released',
  upgrade: 'Released',
  test: 'TestSuccess',
  rollback: 'Remediated',
  uninstall: 'Remediated',
} as const

/** Does one step, counts its failure, and states the result. */
async function perform(release: HelmRelease, step: Step): Promise<void> {
  const { next, desired, status, context } = step
  if (next.do === 'unlock') {
    const { client, signal } = context
    await unlock(client, placeOf(release), { revision: next.revision, signal })
    return
  }
  const [title, type] = [titles[next.do], conditions[next.do]]
  const { version } = desired.chart
  status.state('Ready', {
    status: 'Unknown',
    reason: 'Progressing',
    message: `${next.do} of chart version ${version}: ${next.why}`,
  })
  const isAttempt = next.do === 'install' || next.do === 'upgrade'
  if (isAttempt) {
    status.fields = {
      ...status.fields,
      failures: status.failures(desired.digest),
      lastAttemptedRevision: version,
      lastAttemptedDigest: desired.digest,
      lastAttemptedReleaseAction: next.do,
    }
    // They are about an earlier release.
    status.state('TestSuccess', undefined)
    if (status.fields.failures === 0) status.state('Remediated', undefined)
  }
  await status.save(step.found)
  try {
    await desired.helm.run(...argumentsOf(release, step))
    const message = `${next.do} of chart version ${version} succeeded`
    const reason = next.do === 'test' ? 'TestSucceeded' : `${title}Succeeded`
    status.state(type, { status: 'True', reason, message })
    await context.recordEvent({ reason, message })
  } catch (error) {
    if (!(error instanceof HelmError)) throw error
    const reason = `${title}Failed`
    status.state(type, { status: 'False', reason, message: error.message })
    const isCounted = isAttempt || (next.do === 'test' && !release.spec.test.ignoreFailures)
    if (isCounted) status.fields = { ...status.fields, failures: (status.fields.failures ?? 0) + 1 }
    await context.recordEvent({ type: 'Warning', reason, message: error.message })
    await status.save(await revisions(release, context))
    // Without it, the same step would follow again and again.
    if (type === 'Remediated') throw error
  }
  await status.save(await revisions(release, context))
}

/** The arguments of helm for a step. Values are in a file. */
function argumentsOf(release: HelmRelease, { next, desired }: Step): string[] {
  const { metadata, spec } = release
  const { name, namespace } = placeOf(release)
  const common = ['--namespace', namespace, '--timeout', `${durationMs(spec.timeout, 'timeout')}ms`]
  const history = ['--history-max', String(Math.max(spec.maxHistory, 2))]
  const { disableWait } = next.do === 'install' ? spec.install : spec.upgrade
  const wait = disableWait ? [] : ['--wait']
  if (next.do === 'test') return ['test', name, ...common]
  if (next.do === 'uninstall') return ['uninstall', name, ...common, '--wait', '--ignore-not-found']
  if (next.do === 'rollback') {
    return [
      'rollback',
      name,
      `${'revision' in next ? next.revision : 0}`,
      ...common,
      ...history,
      ...wait,
    ]
  }
  return [
    ...['upgrade', '--install', name, desired.chart.path, '--values', 'values.json'],
    ...['--labels', `${ownerLabel}=${metadata.uid},${digestLabel}=${desired.digest}`],
    ...[...common, ...history, ...wait],
    ...(spec.install.createNamespace ? ['--create-namespace'] : []),
    ...(next.do === 'upgrade' && spec.upgrade.force ? ['--force'] : []),
  ]
}

/** States whether the release is ready, after its drift was detected and corrected. */
async function conclude(
  release: HelmRelease,
  {
    next,
    found,
    status,
    context,
  }: {
    readonly next: Extract<Next, { readonly do: 'nothing' }>
    readonly found: readonly Revision[]
    readonly status: ReleaseStatus
    readonly context: Context
  },
): Promise<void> {
  const [newest] = found
  if (!next.isReleased || newest === undefined) {
    const failed = [status.of('TestSuccess'), status.of('Released')].find(
      (condition) => condition?.status === 'False',
    )
    const remediated = status.of('Remediated')
    const messages = [failed?.message ?? next.why, remediated?.message].filter((text) => text)
    const reason = failed?.reason ?? 'RetriesExceeded'
    status.state('Ready', { status: 'False', reason, message: messages.join('; ') })
    await status.save(found)
    return
  }
  const action = newest.revision === 1 ? 'Install' : 'Upgrade'
  const { name, version } = newest.chart
  const message = `release ${placeOf(release).name} has chart ${name} ${version}, revision ${newest.revision}`
  const released = status.of('Released')
  if (released?.status !== 'True') {
    // The process stopped before it stated the result.
    status.state('Released', { status: 'True', reason: `${action}Succeeded`, message })
  }
  const reason = status.of('Released')?.reason ?? ''
  await correctDrift(release, newest, context)
  status.state('Ready', { status: 'True', reason, message })
  status.fields = { ...status.fields, failures: 0 }
  await status.save(found)
}

async function correctDrift(
  release: HelmRelease,
  { manifest }: Revision,
  context: Context,
): Promise<void> {
  const { driftDetection } = release.spec
  if (driftDetection.mode === 'disabled') return
  const { namespace } = placeOf(release)
  for (const { what, correct } of await driftOf({ manifest, namespace }, driftDetection, context)) {
    if (driftDetection.mode === 'enabled') await correct()
    const reason = driftDetection.mode === 'enabled' ? 'DriftCorrected' : 'DriftDetected'
    await context.recordEvent({ type: 'Warning', reason, message: what })
  }
}
