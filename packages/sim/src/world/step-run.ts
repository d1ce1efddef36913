import type { ClusterSnapshot, LeftOut } from '@setpoint/cluster'
import type { AnyResourceDefinition } from 'setpoint'
import type { Bypasses } from '../bypass/bypass.ts'
import type { ExternalCall } from '../external/external-world.ts'
import type { ExternalSystem } from '../external/external.ts'
import { makesStale, type Plan } from '../plans/plan.ts'
import { type Invariant, InvariantMonitor } from '../oracles/invariant.ts'
import { canonicalState, type CanonicalState, type Naming } from '../state/canonical-state.ts'
import type { Step } from '../workload/step.ts'
import { type Calm, waitForCalm } from './calm.ts'
import { FaultDriver } from './fault-driver.ts'
import type { Program } from './program.ts'
import { otherChanges, type Recording, type RecordedWrite } from './recording.ts'
import type { RunObserver } from './run-event.ts'
import { type Checkpoint, SimWorld } from './sim-world.ts'
import { doStep } from './user.ts'

/** What happened in one step, or in the steps of a plan. */
export interface StepRun extends Pick<Recording, 'changes' | 'errors' | 'reads'> {
  /** The steps that users did. */
  readonly steps: readonly Step[]
  /** Why the API server refused the last step, if it did. */
  readonly refusal: string | undefined
  /** The writes of the program since the first step. */
  readonly writes: readonly RecordedWrite[]
  /** The calls of external systems since the first step. */
  readonly calls: readonly ExternalCall[]
  /** The writes of the program when it was started at the fixed point before the step. */
  readonly startWrites: readonly RecordedWrite[]
  /** Whether others changed something meanwhile: pods that fail again and again, for example. */
  readonly wasMoving: boolean
  readonly calm: Calm
  /** When the first step began. */
  readonly beginMs: number
  readonly end: Checkpoint
  readonly state: CanonicalState
  /** The invariants that were broken, and when. */
  readonly broken: ReadonlyMap<string, number>
  /** The state before a write that the program may have sent because of an old view. */
  readonly staleWrites: readonly StaleWrite[]
}

/** A write on an old view, with the true state right before it. */
export interface StaleWrite {
  readonly write: RecordedWrite
  readonly before: ClusterSnapshot
  readonly timeMs: number
}

/** What all runs of a simulation have in common. */
export interface RunContext extends Naming {
  readonly program: Program
  /** Programs of others, which suffer no faults. */
  readonly companions: readonly Program[]
  readonly definition: AnyResourceDefinition
  readonly externals: readonly ExternalSystem[]
  /** What the controllers of Kubernetes do not make, because the program does not read it. */
  readonly leaveOut: readonly LeftOut[]
  readonly seed: number
  readonly heartbeats: readonly string[]
  readonly invariants: readonly Invariant[]
  /** Receives what happens in runs of steps, for a timeline. */
  readonly observer?: RunObserver | undefined
  /** Where the program reaches around its host. */
  readonly bypasses: Bypasses
}

/** The bucket of the simulated resource. */
export function subjectOf({ definition }: Pick<RunContext, 'definition'>): string {
  return `${definition.group}/${definition.plural}`
}

/** How long the program has to reach a fixed point after it started, before anything happens. */
const warmUpMs = 90_000
/** What a program writes later than this may be due to the time. */
const startMs = 10_000
/** How long users wait between the steps that a program misses. */
const betweenStepsMs = 5000

/** Does steps from a checkpoint on, with the faults of a plan. */
export async function runSteps(
  context: RunContext,
  from: Checkpoint,
  { steps, plan }: { readonly steps: readonly Step[]; readonly plan: Plan },
): Promise<StepRun> {
  const { seed, heartbeats, observer } = context
  observer?.({ is: 'open', plan })
  const driver = new FaultDriver(plan)
  const staleWrites: StaleWrite[] = []
  const monitor = new InvariantMonitor(context.invariants)
  const mayBeStale = makesStale(plan)
  // Each step has its own chance: two objects of different steps must not get the same uid.
  await using world: SimWorld = await SimWorld.open({
    ...context,
    seed: `${seed}/${plan.step}`,
    from,
    observe: observer,
    isReplicated: plan.faults.some(({ type }) => type === 'pause'),
    onChange: (change) => {
      driver.changed(change)
      if (monitor.isNeeded) monitor.changed(world.cluster.snapshot(), world.timeMs)
    },
    faultOf: (write) => {
      if (mayBeStale && driver.isStale) {
        staleWrites.push({ write, before: world.cluster.snapshot(), timeMs: world.host.now() })
      }
      return driver.beforeWrite(write)
    },
  })
  const { host, recording } = world
  if (!driver.isAbsent) world.start()
  await host.sleep(startMs)
  const startWrites = [...recording.writes]
  const wasMoving = otherChanges(recording).size > 0
  await host.sleep(warmUpMs - startMs)
  await host.settle()
  const begin = recording.writes.length
  const beginMs = world.timeMs
  const firstChange = recording.changes.length
  const firstCall = world.externals.calls.length
  world.observe({ is: 'begin', timeMs: beginMs, writes: begin })
  driver.begin(world, world.cluster.snapshot().revision)
  const refusal = await doSteps(world, context, { steps, driver })
  await driver.afterSteps()
  const lasting = { subject: subjectOf(context), heartbeats }
  let calm = await waitForCalm(world, lasting)
  if (driver.end()) calm = await waitForCalm(world, lasting)
  const end = world.checkpoint()
  observer?.({ is: 'close', writes: recording.writes })
  if (monitor.isNeeded) monitor.ended(end.cluster, world.timeMs)
  return {
    steps,
    refusal,
    writes: recording.writes.slice(begin),
    changes: recording.changes.slice(firstChange),
    errors: recording.errors,
    reads: recording.reads,
    calls: world.externals.calls.slice(firstCall),
    startWrites,
    wasMoving,
    calm,
    beginMs,
    end,
    state: canonicalState(end.cluster, context, world.externals.resources()),
    staleWrites,
    broken: monitor.broken,
  }
}

/** Does all steps; one of them may be done by the driver, right before a write. */
async function doSteps(
  world: SimWorld,
  context: RunContext,
  { steps, driver }: { readonly steps: readonly Step[]; readonly driver: FaultDriver },
): Promise<string | undefined> {
  const { host } = world
  let refusal: string | undefined
  let done = 0
  const next = async (): Promise<void> => {
    const step = steps[done]
    done += 1
    if (step !== undefined) refusal = await doStep(world, context.definition, step)
  }
  driver.nextStep = async () => (done < steps.length ? next() : undefined)
  while (done < steps.length) {
    await next()
    if (driver.waitsBetweenSteps) {
      await waitForCalm(world, { subject: subjectOf(context), heartbeats: context.heartbeats })
    } else if (driver.isAbsent || driver.steps > 1) await host.sleep(betweenStepsMs)
  }
  return refusal
}
