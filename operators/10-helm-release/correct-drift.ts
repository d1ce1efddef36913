import { driftOf } from './drift.ts'
import type { HelmRelease } from './helm-release.ts'
import type { Revision } from './releases.ts'
import { type Context, placeOf, type ReleaseStatus } from './work.ts'

/** Detects drift, corrects it if the spec says so, and states it in the condition `Drifted`. */
export async function correctDrift(
  release: HelmRelease,
  { manifest }: Revision,
  { status, context }: { readonly status: ReleaseStatus; readonly context: Context },
): Promise<void> {
  const { driftDetection } = release.spec
  if (driftDetection.mode === 'disabled') {
    status.state('Drifted', undefined)
    return
  }
  const { namespace } = placeOf(release)
  const drifts = await driftOf({ manifest, namespace }, driftDetection, context)
  if (drifts.length === 0) {
    const message = 'all objects are as they were released'
    status.state('Drifted', { status: 'False', reason: 'NoDriftDetected', message })
    return
  }
  const what = drifts.map((drift) => drift.what).join('; ')
  if (driftDetection.mode === 'warn') {
    await context.recordEvent({ type: 'Warning', reason: 'DriftDetected', message: what })
    status.state('Drifted', { status: 'True', reason: 'DriftDetected', message: what })
    return
  }
  const failures: string[] = []
  for (const drift of drifts) {
    try {
      await drift.correct()
    } catch (error) {
      if (context.signal.aborted) throw error
      failures.push(`${drift.what}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  if (failures.length === 0) {
    await context.recordEvent({ type: 'Warning', reason: 'DriftCorrected', message: what })
    status.state('Drifted', { status: 'False', reason: 'DriftCorrected', message: what })
  } else {
    const [reason, message] = ['DriftCorrectionFailed', failures.join('; ')] as const
    await context.recordEvent({ type: 'Warning', reason, message })
    status.state('Drifted', { status: 'True', reason, message })
  }
}
