import type { Frozen } from 'setpoint'
import type { Container } from 'setpoint/kinds'
import type { ContainerRole, PodView } from '../behaviour/index.ts'

/** The first restart is immediate. Then the backoff doubles from this value. */
const backoffFirstMs = 10_000
const backoffMaxMs = 300_000

/** After a run of this length the backoff is reset. */
const recoveredMs = 2 * backoffMaxMs

interface EndedRun {
  readonly startedMs: number
  readonly finishedMs: number
  readonly backoffLevel: number
}

/** The backoff before a restart, and the backoff level of the new run. */
export function restartBackoff(run: EndedRun): { waitMs: number; level: number } {
  const hasRecovered = run.finishedMs - run.startedMs > recoveredMs
  if (run.backoffLevel === 0 || hasRecovered) return { waitMs: 0, level: 1 }
  const waitMs = Math.min(backoffFirstMs * 2 ** (run.backoffLevel - 1), backoffMaxMs)
  return { waitMs, level: waitMs === backoffMaxMs ? run.backoffLevel : run.backoffLevel + 1 }
}

/**
 * Whether a container is restarted after it exited: its own rules decide first, then its policy,
 * then the pod's policy.
 */
export function restartsAfter(
  pod: PodView,
  { spec, role }: { readonly spec: Frozen<Container>; readonly role: ContainerRole },
  exitCode: number,
): boolean {
  if (role === 'ephemeral') return false
  if (role === 'sidecar') return true
  for (const { action, exitCodes } of spec.restartPolicyRules ?? []) {
    const isAmong = exitCodes?.values?.includes(exitCode) ?? false
    const applies = exitCodes?.operator === 'NotIn' ? !isAmong : isAmong
    if (applies && action === 'Restart') return true
  }
  const policy = spec.restartPolicy ?? pod.spec.restartPolicy ?? 'Always'
  if (policy === 'Always' && (role === 'regular' || spec.restartPolicy === 'Always')) return true
  return policy !== 'Never' && exitCode !== 0
}
