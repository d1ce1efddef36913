import type { LeftOut } from '@setpoint/cluster'
import type { AnyResourceDefinition } from 'setpoint'
import { CustomResourceDefinition, Namespace } from 'setpoint/kinds'
import type { Bypasses } from '../bypass/bypass.ts'
import { waitForCalm } from './calm.ts'
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
  // A program in a file has a definition of its own of the resource that the test names.
  const definitions = [...definitionsOf(program), definition]
  const byResource = new Map(definitions.map((one) => [`${one.group}/${one.plural}`, one]))
  for (const one of byResource.values()) {
    await client.create(CustomResourceDefinition, ownVersionOnly(one.crd()))
  }
  await world.host.sleep(10_000)
  for (const name of namespacesOf([subject, ...others])) {
    await client.create(Namespace, { metadata: { name } })
  }
  for (const sample of others) {
    await createSample(client, definition, sample)
    // Its objects may follow.
    if (sample.kind === 'CustomResourceDefinition') await world.host.sleep(10_000)
  }
  await world.host.sleep(10_000)
  // What the program makes of them must not look like the result of the workload.
  if (others.some((sample) => definitionsOf(program).some((one) => isOf(sample, one)))) {
    world.start()
    await waitForCalm(world, {
      subject: `${definition.group}/${definition.plural}`,
      heartbeats: [],
    })
    world.stop()
  }
  await world.host.settle()
  return world.checkpoint()
}

/** The namespaces of samples that a new cluster does not have. */
function namespacesOf(samples: readonly Sample[]): string[] {
  const names = samples.flatMap(({ metadata: { namespace } }) => namespace ?? [])
  return [...new Set(names)].filter((name) => name !== 'default' && !name.startsWith('kube-'))
}

function isOf({ apiVersion, kind }: Sample, definition: AnyResourceDefinition): boolean {
  return apiVersion === definition.apiVersion && kind === definition.kind
}

/**
 * The definition with its own version only, which operators use: others are converted by a webhook,
 * which does not run here.
 */
function ownVersionOnly({ spec, ...rest }: ReturnType<AnyResourceDefinition['crd']>) {
  const { conversion: _, ...kept } = spec
  return { ...rest, spec: { ...kept, versions: spec.versions.slice(0, 1) } }
}
