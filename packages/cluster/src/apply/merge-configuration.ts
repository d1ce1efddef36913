import { isJsonObject, type JsonObject, type JsonValue } from 'setpoint/schema'
import type { ApplySchema, ApplyType } from './types/apply-type.ts'
import { assertType } from './types/check-type.ts'
import { mergeValues } from './types/merge-values.ts'

/** A configuration that cannot be merged. */
export class ConfigurationError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ConfigurationError'
  }
}

/**
 * Merges the configuration of a mutating policy into an object, without field owners: items of sets
 * and keyed lists are added or merged, and nothing is removed. Throws a `ConfigurationError` if the
 * configuration does not fit the type, or has atomic values, which it could only replace.
 */
export function mergeConfiguration(
  { type }: ApplySchema,
  { live, configuration }: { readonly live: JsonObject; readonly configuration: JsonObject },
): JsonObject {
  const { apiVersion = '', kind = '' } = live
  const config = { ...configuration, apiVersion, kind }
  check('patch', () => assertType(config, type, { allowDuplicates: false }))
  const atomics = atomicPaths(config, type)
  if (atomics.length > 0) {
    throw new ConfigurationError(
      `invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`,
    )
  }
  check('original', () => assertType(live, type, { allowDuplicates: true }))
  const merged = mergeValues(live, config, type)
  return isJsonObject(merged) ? merged : live
}

function check(what: string, action: () => void): void {
  try {
    action()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new ConfigurationError(`failed to convert ${what} object to typed object: ${why}`)
  }
}

/** The paths of atomic values. Values of undeclared fields are not checked. */
function atomicPaths(value: JsonValue, type: ApplyType, path = ''): string[] {
  if (isJsonObject(value) && type.map !== undefined) {
    const { atomic, fields } = type.map
    const below = Object.entries(value).flatMap(([name, part]) => {
      const field = fields.get(name)
      return field === undefined ? [] : atomicPaths(part, field.type, `${path}.${name}`)
    })
    return atomic ? [path, ...below] : below
  }
  if (!Array.isArray(value) || type.list === undefined) return []
  const { atomic, element } = type.list
  const below = value.flatMap((part, index) => atomicPaths(part, element, `${path}[${index}]`))
  return atomic ? [path, ...below] : below
}
