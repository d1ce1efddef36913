import { isSetpointError, type AnyResourceDefinition } from 'setpoint'
import type { Client } from 'setpoint/client'
import type { Plan } from '../plans/plan.ts'
import { canonicalState, type CanonicalState } from '../state/canonical-state.ts'
import type { Step } from '../workload/workload.ts'
import { type Calm, waitForCalm } from './calm.ts'
import type { Program } from './program.ts'
import { type Checkpoint, type RecordedWrite, SimWorld } from './sim-world.ts'
import type { WriteFault } from './simulated-process.ts'

/** What happened in one step, or in the steps that a program was absent. */
export interface StepRun {
  /** The steps that users did. */
  readonly steps: readonly Step[]
  /** Why the API server refused the last step, if it did. */
  readonly refusal: string | undefined
  /** The writes of the program since the first step. */
  readonly writes: readonly RecordedWrite[]
  /** The writes of the program when it was started at the fixed point before the step. */
  readonly startWrites: readonly RecordedWrite[]
  readonly failures: readonly string[]
  readonly calm: Calm
  readonly end: Checkpoint
  readonly state: CanonicalState
}

/** What all runs of a simulation have in common. */
export interface RunContext {
  readonly program: Program
  readonly definition: AnyResourceDefinition
  readonly seed: number
  /** The objects before the workload, which are not part of the state. */
  readonly existing: ReadonlySet<string>
}

/** How long the program has to reach a fixed point after it started, before anything happens. */
const warmUpMs = 90_000
/** What a program writes later than this may be due to the time. */
const startMs = 10_000
/** How long users wait between the steps that an absent program misses. */
const betweenStepsMs = 5000

/** Does steps from a checkpoint on, with the faults of a plan. */
export async function runSteps(
  context: RunContext,
  from: Checkpoint,
  { steps, plan }: { readonly steps: readonly Step[]; readonly plan: Plan },
): Promise<StepRun> {
  const { program, seed, existing } = context
  let begin = Infinity
  const faultOf = ({ process }: RecordedWrite): WriteFault | undefined => {
    if (process !== 1) return undefined
    const number = world.writes.length - begin
    for (const fault of plan.faults) {
      if ('write' in fault && fault.write === number) return fault.type
    }
    return undefined
  }
  // Each step has its own chance: two objects of different steps must not get the same uid.
  const chance = `${seed}/${plan.step}`
  await using world: SimWorld = await SimWorld.open({ program, seed: chance, from, faultOf })
  const isAbsent = plan.faults.some(({ type }) => type === 'absent')
  if (!isAbsent) world.start()
  await world.host.sleep(startMs)
  const startWrites = [...world.writes]
  await world.host.sleep(warmUpMs - startMs)
  await world.host.settle()
  begin = world.writes.length
  const held = plan.faults.filter((fault) => fault.type === 'hold')
  for (const { resource } of held) world.hold(resource)
  let refusal: string | undefined
  for (const step of steps) {
    refusal = await applyStep(world.cluster.client, context.definition, step)
    await world.host.sleep(isAbsent ? betweenStepsMs : 0)
  }
  if (isAbsent) world.start()
  for (const { resource, forMs } of held) {
    await world.host.sleep(forMs)
    world.release(resource)
  }
  const calm = await waitForCalm(world, context.definition.plural)
  const end = world.checkpoint()
  return {
    steps,
    refusal,
    writes: world.writes.slice(begin),
    startWrites,
    failures: [...world.failures],
    calm,
    end,
    state: canonicalState(end.cluster, existing),
  }
}

/** Does one action of a user; returns why the API server refused it. */
async function applyStep(
  client: Client,
  definition: AnyResourceDefinition,
  step: Step,
): Promise<string | undefined> {
  try {
    if (step.do === 'create') {
      const { metadata, spec } = step.object
      await client.create(definition, {
        metadata,
        ...(spec === undefined ? {} : { spec }),
      } as never)
    } else if (step.do === 'set') {
      const live = await client.get(definition, step.object)
      await client.replace(definition, { ...(live as object), spec: step.spec })
    } else await client.delete(definition, step.object)
    return undefined
  } catch (error) {
    if (isSetpointError(error) && error.code.startsWith('API_')) return error.message
    throw error
  }
}
