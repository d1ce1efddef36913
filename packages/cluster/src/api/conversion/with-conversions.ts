import type { JsonObject } from 'setpoint/schema'
import { encodeJson } from '../../codec/index.ts'
import type { ServedResource } from '../resources/served-resource.ts'

/** Converts an object to another version while field owners are computed. */
export type ConvertObject = (object: JsonObject, apiVersion: string) => JsonObject

/** A conversion that a webhook has to make. */
interface NeededConversion {
  readonly object: JsonObject
  readonly apiVersion: string
}

/**
 * Runs a pure computation that converts objects between versions: the owners of fields are compared
 * in the versions of their managers. The computation is synchronous. If it needs a conversion by a
 * webhook, its outcome is discarded, and it is repeated with the result. It needs only a few.
 */
export async function withConversions<T>(
  { conversion, convert }: ServedResource,
  run: (convert: ConvertObject | undefined) => T,
): Promise<T> {
  if (conversion === undefined) return run(convert)
  const known = new Map<string, JsonObject>()
  for (;;) {
    let needed: NeededConversion | undefined
    const outcome = outcomeOf(() =>
      run((object, apiVersion) => {
        const result = known.get(keyOf({ object, apiVersion }))
        if (result !== undefined) return structuredClone(result)
        needed ??= { object: structuredClone(object), apiVersion }
        return { ...object, apiVersion }
      }),
    )
    if (needed === undefined) return outcome()
    known.set(keyOf(needed), await conversion.convert(needed.object, needed.apiVersion))
  }
}

function keyOf({ object, apiVersion }: NeededConversion): string {
  return `${apiVersion} ${encodeJson(object)}`
}

/** Runs a function now, and returns a function that returns or throws what it did. */
function outcomeOf<T>(run: () => T): () => T {
  try {
    const value = run()
    return () => value
  } catch (error) {
    return () => {
      throw error
    }
  }
}
