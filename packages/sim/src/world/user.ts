import { type AnyResourceDefinition, isSetpointError, SetpointError } from 'setpoint'
import type { Client } from 'setpoint/client'
import type { Manifest, Sample, Step } from '../workload/step.ts'
import type { SimWorld } from './sim-world.ts'

/** Does one action of a user; returns why the API server refused it. */
export async function doStep(
  world: SimWorld,
  definition: AnyResourceDefinition,
  step: Step,
): Promise<string | undefined> {
  const subject = `${definition.group}/${definition.plural}`
  world.observe({ is: 'step', timeMs: world.timeMs, step, subject })
  const refusal = await refusalOf(world, definition, step)
  world.observe({ is: 'done', timeMs: world.timeMs, refusal })
  return refusal
}

async function refusalOf(
  world: SimWorld,
  definition: AnyResourceDefinition,
  step: Step,
): Promise<string | undefined> {
  const { client } = world.cluster
  try {
    switch (step.do) {
      case 'create':
        await createSample(client, definition, step.object)
        return undefined
      case 'set': {
        const live = await client.get(definition, refOf(step))
        await client.replace(definition, { ...(live as object), spec: step.spec })
        return undefined
      }
      case 'delete':
        await client.delete(definition, refOf(step))
        return undefined
      case 'apply': {
        const kind = await kindOf(client, step.object)
        await client.apply(kind, step.object, { force: true })
        return undefined
      }
      case 'remove': {
        const { metadata } = step.object
        await client.delete(
          await kindOf(client, step.object),
          refOf({ ...metadata, object: metadata.name }),
        )
        return undefined
      }
      case 'wait':
        await world.host.sleep(step.forMs)
        return undefined
    }
  } catch (error) {
    if (isSetpointError(error) && error.code.startsWith('API_')) return error.message
    throw error
  }
}

/** Creates an object of the simulated resource, or of the kind that the sample names. */
export async function createSample(
  client: Client,
  definition: AnyResourceDefinition,
  sample: Sample,
): Promise<void> {
  const { apiVersion = definition.apiVersion, kind = definition.kind, ...content } = sample
  if (apiVersion === definition.apiVersion && kind === definition.kind) {
    await client.create(definition, content as never)
    return
  }
  const served = await kindOf(client, { ...content, apiVersion, kind })
  await client.create(served, { ...content, apiVersion, kind })
}

type ServedKind = NonNullable<Awaited<ReturnType<Client['kindOf']>>>

async function kindOf(
  client: Client,
  { apiVersion, kind, metadata }: Manifest,
): Promise<ServedKind> {
  const served = await client.kindOf(apiVersion, kind)
  if (served !== undefined) return served
  throw new SetpointError('API_NOT_FOUND', `the cluster has no kind ${kind} in ${apiVersion}`, {
    hint: `${metadata.name} needs it: remove the object, or simulate the operator that defines the kind too`,
  })
}

function refOf({ object, namespace }: { readonly object: string; readonly namespace?: string }) {
  return { name: object, ...(namespace === undefined ? {} : { namespace }) }
}
