import type { AnyResourceDefinition } from '../definition/index.ts'
import type { ApiResource } from '../kinds/api-resource.ts'

/** An object as its definition parses it, or the problems that prevent it. */
interface CheckedObject {
  /** The object with the defaults of the definition. */
  readonly object?: ApiResource
  readonly problems: readonly string[]
}

/** Parses an object by its definition: it may have been stored before the schema changed. */
export function checkedObject(
  definition: AnyResourceDefinition | undefined,
  object: ApiResource,
): CheckedObject {
  // The server has validated the metadata.
  const { apiVersion, kind, metadata, spec, status } = object
  if (definition === undefined) return { object, problems: [] }
  // The server has checked the rules, and tolerates an old object that breaks a new one.
  const options = { rules: 'skip' } as const
  const whole = definition.safeParse({ apiVersion, kind, spec, status }, options)
  // The status may have been written before a schema change: the operator writes it again.
  const result = whole.success ? whole : definition.safeParse({ apiVersion, kind, spec }, options)
  if (!result.success) {
    return { problems: result.issues.map(({ field, message }) => `${field}: ${message}`) }
  }
  const storedStatus = whole.success || status === undefined ? {} : { status }
  return { object: { ...(result.data as ApiResource), ...storedStatus, metadata }, problems: [] }
}
