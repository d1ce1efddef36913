import { evaluateJsonPath, isJsonObject, type JsonObject, parseJsonPath } from 'setpoint/schema'
import type { Mapping } from './mapping.ts'
import { fixedPath, ProjectionError, setAt, valueAt } from './paths.ts'

/** A place in a workload, with a text that identifies it. */
export interface Place {
  readonly id: string
  readonly root: JsonObject
  readonly path: readonly string[]
}

/** A container of a workload. */
export interface BoundContainer {
  /** The name, if the mapping has a path for it. */
  readonly name: string | undefined
  readonly env: Place
  readonly volumeMounts: Place
}

/** The places of a pod template in a workload. */
export interface Places {
  readonly annotations: Place
  readonly volumes: Place
  readonly containers: readonly BoundContainer[]
}

/** Finds the places of a mapping in a workload. Containers must exist, lists need not. */
export function placesIn(root: JsonObject, mapping: Mapping): Places {
  const placeOf = (text: string): Place => ({ id: text, root, path: fixedPath(text) })
  return {
    annotations: placeOf(mapping.annotations),
    volumes: placeOf(mapping.volumes),
    containers: mapping.containers.flatMap((one) => containersAt(root, one)),
  }
}

function containersAt(
  root: JsonObject,
  { path, name: nameAt, env, volumeMounts }: Mapping['containers'][number],
): BoundContainer[] {
  const { steps, problem } = parseJsonPath(path)
  if (steps === undefined) throw new ProjectionError('MappingInvalid', problem)
  return [...evaluateJsonPath(steps, root)].map((container, position) => {
    if (!isJsonObject(container)) {
      throw new ProjectionError('WorkloadInvalid', `${path} finds a value that is not an object`)
    }
    const named = nameAt === undefined ? undefined : valueAt(container, fixedPath(nameAt))
    const name = typeof named === 'string' ? named : undefined
    const placeOf = (text: string): Place => ({
      id: `${path} ${name ?? position} ${text}`,
      root: container,
      path: fixedPath(text),
    })
    return { name, env: placeOf(env), volumeMounts: placeOf(volumeMounts) }
  })
}

/** The items of the list at a place. */
export function itemsAt({ id, root, path }: Place): readonly JsonObject[] {
  const list = valueAt(root, path) ?? []
  if (!Array.isArray(list)) throw new ProjectionError('WorkloadInvalid', `${id} is not a list`)
  return list.filter((item) => isJsonObject(item))
}

/** Replaces the list at a place; a missing list stays missing if there is nothing to put into it. */
export function setItems({ root, path }: Place, items: readonly JsonObject[]): void {
  if (items.length > 0 || valueAt(root, path) !== undefined) setAt(root, path, [...items])
}
