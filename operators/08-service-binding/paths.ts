import { isJsonObject, type JsonObject, type JsonValue, parseJsonPath } from 'setpoint/schema'

/** A projection that is not possible until the user changes something. */
export class ProjectionError extends Error {
  readonly reason: string

  constructor(reason: string, message: string) {
    super(message)
    this.reason = reason
  }
}

/** The names of a fixed JSONPath: only fields, as in `.spec['template'].spec.volumes`. */
export function fixedPath(text: string): string[] {
  // The specification allows a bracket at the beginning.
  const isBracket = text.startsWith('[')
  const { steps, problem } = parseJsonPath(isBracket ? `.first${text}` : text)
  if (steps === undefined) throw new ProjectionError('MappingInvalid', problem)
  const names = steps.map((step) => {
    if (step.kind === 'field' && step.name !== '__proto__') return step.name
    throw new ProjectionError('MappingInvalid', `${text} must consist of fields only`)
  })
  if (names.length === 0) throw new ProjectionError('MappingInvalid', `${text} names no field`)
  return isBracket ? names.slice(1) : names
}

/** The value at a path. */
export function valueAt(root: JsonValue, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (at, name) => (isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined),
    root,
  )
}

/** How many fields of a path exist. */
export function depthOf(root: JsonObject, path: readonly string[]): number {
  const isMissing = (_: string, index: number): boolean =>
    valueAt(root, path.slice(0, index + 1)) === undefined
  const missing = path.findIndex(isMissing)
  return missing < 0 ? path.length : missing
}

/** Sets the value at a path. Objects on the way are created. */
export function setAt(root: JsonObject, path: readonly string[], value: JsonValue): void {
  let at = root
  for (const name of path.slice(0, -1)) {
    const next = valueAt(at, [name]) ?? {}
    if (!isJsonObject(next)) {
      throw new ProjectionError('WorkloadInvalid', `${name} in .${path.join('.')} is not an object`)
    }
    at[name] = next
    at = next
  }
  at[path.at(-1) ?? ''] = value
}

/** Removes the fields of a path that were created, those from `depth` on, if they are empty. */
export function removeCreated(root: JsonObject, path: readonly string[], depth: number): void {
  const parent = valueAt(root, path.slice(0, depth))
  const name = path[depth] ?? ''
  if (isJsonObject(parent) && isHollow(parent[name])) Reflect.deleteProperty(parent, name)
}

/** Whether a value consists of empty lists and objects only. */
function isHollow(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.length === 0
  return isJsonObject(value) && Object.values(value).every(isHollow)
}
