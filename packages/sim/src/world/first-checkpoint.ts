import type { LeftOut } from '@setpoint/cluster'
import type { AnyResourceDefinition } from 'setpoint'
import { CustomResourceDefinition, Namespace } from 'setpoint/kinds'
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
  /** The object that the workload is about, and the ones that exist before. */
  readonly subject: Sample
  readonly others: readonly Sample[]
  readonly externals: readonly ExternalSystem[]
  readonly leaveOut: readonly LeftOut[]
  readonly seed: number
  readonly bypasses: Bypasses
}

/** A cluster with the definitions and the samples that the workload needs. */
export async function firstCheckpoint(options: BeginOptions): Promise<Checkpoint> {
  const { program, definition, subject, others, seed } = options
  await using world = await SimWorld.open({ ...options, seed: `${seed}/begin` })
  const { client } = world.cluster
  for (const one of new Set([definition, ...definitionsOf(program)])) {
    await client.create(CustomResourceDefinition, one.crd())
  }
  await world.host.sleep(10_000)
  for (const name of namespacesOf([subject, ...others])) {
    await client.create(Namespace, { metadata: { name } })
  }
  for (const sample of others) await createSample(client, definition, sample)
  await world.host.sleep(10_000)
  await world.host.settle()
  return world.checkpoint()
}

/** The namespaces of samples that a new cluster does not have. */
function namespacesOf(samples: readonly Sample[]): string[] {
  const names = samples.flatMap(({ metadata: { namespace } }) => namespace ?? [])
  return [...new Set(names)].filter((name) => name !== 'default' && !name.startsWith('kube-'))
}
