import type { Frozen } from 'setpoint'
import type { Container } from 'setpoint/kinds'
import type { ContainerRole, PodView } from '../behaviour/index.ts'

/** The first restart does not wait; then the wait doubles from here. */
const backoffFirstMs = 10_000
const backoffMaxMs = 300_000

/** A container that ran for longer than this has recovered. */
const recoveredMs = 2 * backoffMaxMs

/** A run of a container that has ended. */
interface EndedRun {
  readonly startedMs: number
  readonly finishedMs: number
  readonly backoffLevel: number
}

/** How long a restart has to wait after the end of a run, and the level the new run begins with. */
export function restartBackoff(run: EndedRun): { waitMs: number; level: number } {
  const hasRecovered = run.finishedMs - run.startedMs > recoveredMs
  if (run.backoffLevel === 0 || hasRecovered) return { waitMs: 0, level: 1 }
  const waitMs = Math.min(backoffFirstMs * 2 ** (run.backoffLevel - 1), backoffMaxMs)
  return { waitMs, level: waitMs === backoffMaxMs ? run.backoffLevel : run.backoffLevel + 1 }
}

/** Whether a container is started again after it exited: its own rules come first, then its policy, then the pod's. */
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
