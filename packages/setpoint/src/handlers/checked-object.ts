import type { AnyResourceDefinition } from '../definition/index.ts'
import type { ServedObject } from './essence.ts'

/** An object as its definition reads it, or what is wrong with it, in words. */
interface CheckedObject {
  /** With its defaults. */
  readonly object?: ServedObject
  readonly problems: readonly string[]
}

/** Reads an object by its definition: it may have been stored before that changed. */
export function checkedObject(
  definition: AnyResourceDefinition | undefined,
  object: ServedObject,
): CheckedObject {
  // Its metadata is the server's, and as it should be.
  const { apiVersion, kind, metadata, spec, status } = object
  if (definition === undefined) return { object, problems: [] }
  const whole = definition.safeParse({ apiVersion, kind, spec, status })
  // A status of before its schema changed is no reason: it is ours, and about to be written.
  const result = whole.success ? whole : definition.safeParse({ apiVersion, kind, spec })
  if (!result.success) {
    return { problems: result.issues.map(({ field, message }) => `${field}: ${message}`) }
  }
  const said = whole.success || status === undefined ? {} : { status }
  return { object: { ...(result.data as ServedObject), ...said, metadata }, problems: [] }
}
