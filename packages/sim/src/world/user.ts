import { type AnyResourceDefinition, isSetpointError, SetpointError } from 'setpoint'
import type { Client } from 'setpoint/client'
import type { Sample, Step } from '../workload/step.ts'
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
        const live = await client.get(definition, step.object)
        await client.replace(definition, { ...(live as object), spec: step.spec })
        return undefined
      }
      case 'delete':
        await client.delete(definition, step.object)
        return undefined
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
  const served = await client.kindOf(apiVersion, kind)
  if (served === undefined) {
    throw new SetpointError('API_NOT_FOUND', `the cluster has no kind ${kind} in ${apiVersion}`, {
      hint: `the sample ${content.metadata.name} needs it: remove the sample, or simulate the operator that defines the kind too`,
    })
  }
  await client.create(served, { ...content, apiVersion, kind })
}
