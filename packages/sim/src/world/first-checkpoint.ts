import type { LeftOut } from '@setpoint/cluster'
import type { AnyResourceDefinition } from 'setpoint'
import { CustomResourceDefinition } from 'setpoint/kinds'
import type { Bypasses } from '../bypass/bypass.ts'
import { definitionsOf } from './program-parts.ts'
import type { ExternalSystem } from '../external/external.ts'
import type { Sample } from '../workload/step.ts'
import type { Program } from './program.ts'
import { type Checkpoint, SimWorld } from './sim-world.ts'
import { createSample } from './user.ts'

/** What exists before the workload. */
interface BeginOptions {
  readonly program: Program
  readonly companions: readonly Program[]
  readonly definition: AnyResourceDefinition
  readonly others: readonly Sample[]
  readonly externals: readonly ExternalSystem[]
  readonly leaveOut: readonly LeftOut[]
  readonly seed: number
  readonly bypasses: Bypasses
}

/** A cluster with the definitions and the samples that the workload needs. */
export async function firstCheckpoint(options: BeginOptions): Promise<Checkpoint> {
  const { program, definition, others, seed } = options
  await using world = await SimWorld.open({ ...options, seed: `${seed}/begin` })
  const { client } = world.cluster
  // A program in a file has a definition of its own of the resource that the test names.
  const definitions = [...definitionsOf(program), definition]
  const byResource = new Map(definitions.map((one) => [`${one.group}/${one.plural}`, one]))
  for (const one of byResource.values()) {
    await client.create(CustomResourceDefinition, one.crd())
  }
  await world.host.sleep(10_000)
  for (const sample of others) await createSample(client, definition, sample)
  await world.host.sleep(10_000)
  await world.host.settle()
  return world.checkpoint()
}
