import { GiveUpError } from '../controller/index.ts'
import type { AnyResourceDefinition } from '../definition/index.ts'
import { hasFields } from '../schema/json-value.ts'
import { resolveSchemaPath } from '../schema/index.ts'

/** Refuses a result that the server would drop: whoever returned it will look for it. */
export function checkResult(
  { definition }: { readonly definition: AnyResourceDefinition | undefined },
  id: string,
): void {
  const steps = [{ kind: 'field', name: 'status' } as const, { kind: 'field', name: id } as const]
  const isKnown =
    definition !== undefined && resolveSchemaPath(definition.schema(), steps).schema !== undefined
  if (isKnown) return
  const what = definition?.kind ?? 'the resource'
  throw new GiveUpError(
    `the handler ${id} returned a value, but the status of ${what} has no field ${JSON.stringify(id)} to keep it; add it to the status schema, give the handler the id of a field, or return nothing`,
  )
}

/** A merge patch that replaces a value by another one, instead of mixing both. */
export function replacedBy(before: unknown, after: unknown): unknown {
  if (!hasFields(before) || !hasFields(after)) return after
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(after, name))
  return Object.fromEntries([
    ...removed.map((name) => [name, null] as const),
    ...Object.entries(after).map(([name, value]) => [name, replacedBy(before[name], value)]),
  ])
}
