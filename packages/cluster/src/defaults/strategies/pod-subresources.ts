import type { JsonObject } from 'setpoint/schema'
import type { Container, Pod, PodSpec } from 'setpoint/kinds'
import { itemsOf } from '../items-of.ts'
import { allMetadata } from './all-metadata.ts'
import { keepField, objectAt } from './field-access.ts'
import type { ChangedObject } from './strategy.ts'
import { raiseGeneration } from './raise-generation.ts'
import { semanticEquals } from './semantic-equals.ts'

function specOf(object: JsonObject): PodSpec {
  return (object as unknown as Pod).spec
}

/** Restores everything but the given spec, and increases the generation. */
function replaceSpec({ object, old }: ChangedObject, spec: PodSpec): void {
  object['spec'] = spec as unknown as JsonObject
  keepField(object, old, 'status')
  for (const key of allMetadata) {
    keepField(objectAt(object, 'metadata'), objectAt(old, 'metadata'), key)
  }
  if (!semanticEquals(object['spec'], old['spec'])) raiseGeneration(object, old)
}

/** The subresource ephemeralcontainers changes only the ephemeral containers. */
export function updateEphemeralContainers(changed: ChangedObject): void {
  const { ephemeralContainers = [] } = specOf(changed.object)
  const spec = structuredClone(specOf(changed.old))
  delete spec.ephemeralContainers
  if (ephemeralContainers.length > 0) spec.ephemeralContainers = ephemeralContainers
  replaceSpec(changed, spec)
}

/** The subresource resize changes only resources; validation refuses other sets of containers. */
export function resizePod(changed: ChangedObject): void {
  const desired = specOf(changed.object)
  const before = specOf(changed.old)
  const isSameCount =
    itemsOf(desired.containers).length === itemsOf(before.containers).length &&
    itemsOf(desired.initContainers).length === itemsOf(before.initContainers).length
  if (!isSameCount) return
  const spec = structuredClone(before)
  if (desired.resources === undefined) delete spec.resources
  else spec.resources = desired.resources
  spec.containers = resized([...itemsOf(desired.containers)], [...itemsOf(spec.containers)])
  if (spec.initContainers !== undefined) {
    spec.initContainers = resized(desired.initContainers ?? [], spec.initContainers)
  }
  replaceSpec(changed, spec)
}

function resized(desired: Container[], before: Container[]): Container[] {
  if (desired.some(({ name }, index) => before[index]?.name !== name)) return desired
  return before.map((container, index) => {
    const { resources = {}, resizePolicy } = desired[index] ?? container
    const { resizePolicy: _old, ...rest } = container
    return { ...rest, resources, ...(resizePolicy === undefined ? {} : { resizePolicy }) }
  })
}
