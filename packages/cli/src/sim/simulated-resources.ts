import type { Sample } from '@setpoint/sim'
import type { AnyOperator, AnyResourceDefinition } from 'setpoint'
import { CommandError, exitCodes } from '../command/index.ts'

/** A resource to simulate, with the samples that exist, its own one first. */
export interface SimulatedResource {
  readonly definition: AnyResourceDefinition
  readonly samples: readonly Sample[]
}

/** The resources of a project that have a sample, and those that have none. */
interface ResourceChoice {
  readonly resources: readonly SimulatedResource[]
  readonly withoutSample: readonly AnyResourceDefinition[]
}

/** All resources that the operators define, or the one that `--resource` names. */
export function simulatedResources(
  operators: readonly AnyOperator[],
  samples: readonly Sample[],
  named?: string,
): ResourceChoice {
  const all = new Set(operators.flatMap(({ declaration }) => declaration.definition ?? []))
  const chosen = [...all].filter((definition) => named === undefined || isNamed(definition, named))
  if (chosen.length === 0) throw noResource([...all], named)
  const resources = chosen.flatMap((definition): SimulatedResource[] => {
    const own = samples.find((sample) => isOf(sample, definition))
    if (own === undefined) return []
    return [{ definition, samples: [own, ...samples.filter((sample) => sample !== own)] }]
  })
  const withoutSample = chosen.filter(
    (definition) => !resources.some((resource) => resource.definition === definition),
  )
  if (resources.length === 0) {
    throw new CommandError(`there is no sample of ${withoutSample.map(titleOf).join(' or ')}`, {
      hint: 'write one to samples/, or to config/samples/ with setpoint generate, or give a file: --samples FILE',
    })
  }
  return { resources, withoutSample }
}

/** A resource for people: `Shop (shops.example.com)`. */
export function titleOf({ kind, plural, group }: AnyResourceDefinition): string {
  return `${kind} (${plural}.${group})`
}

function isOf({ apiVersion, kind }: Sample, definition: AnyResourceDefinition): boolean {
  return apiVersion === definition.apiVersion && kind === definition.kind
}

function isNamed({ kind, plural, group }: AnyResourceDefinition, name: string): boolean {
  const wanted = name.toLowerCase()
  return [kind.toLowerCase(), plural, `${plural}.${group}`].includes(wanted)
}

function noResource(all: readonly AnyResourceDefinition[], named?: string): CommandError {
  if (all.length === 0 || named === undefined) {
    return new CommandError('the operators define no resource, so there is nothing to simulate', {
      hint: 'simulate operators of built-in kinds in a test: simulate of @setpoint/sim',
    })
  }
  return new CommandError(`--resource is ${named}, which the operators do not define`, {
    exitCode: exitCodes.usage,
    hint: `they define ${all.map(titleOf).join(', ')}`,
  })
}
