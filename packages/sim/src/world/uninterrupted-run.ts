import { noFaults } from '../plans/plan.ts'
import { canonicalState, type CanonicalState } from '../state/canonical-state.ts'
import type { Step } from '../workload/step.ts'
import { waitForCalm } from './calm.ts'
import { type Checkpoint, SimWorld } from './sim-world.ts'
import { type RunContext, subjectOf } from './step-run.ts'
import { doStep } from './user.ts'

/** Does all steps with one process that is never restarted; returns the state after each. */
export async function runUninterrupted(
  context: RunContext,
  from: Checkpoint,
  steps: readonly Step[],
): Promise<CanonicalState[]> {
  const { seed, heartbeats, definition, observer } = context
  observer?.({ is: 'open', plan: { ...noFaults(0), compare: 'uninterrupted' } })
  await using world = await SimWorld.open({
    ...context,
    seed: `${seed}/whole`,
    from,
    observe: observer,
  })
  world.observe({ is: 'begin', timeMs: world.timeMs, writes: 0 })
  world.start()
  const states: CanonicalState[] = []
  for (const step of steps) {
    await doStep(world, definition, step)
    await waitForCalm(world, { subject: subjectOf(context), heartbeats })
    states.push(canonicalState(world.checkpoint().cluster, context, world.externals.resources()))
  }
  observer?.({ is: 'close', writes: world.recording.writes })
  return states
}
