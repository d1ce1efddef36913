import { GiveUpError } from '../controller/index.ts'
import type { AnyResourceDefinition } from '../definition/index.ts'
import type { ApiResource } from '../kinds/api-resource.ts'
import { resolveSchemaPath } from '../schema/index.ts'
import { hasFields } from '../schema/json-value.ts'

/** A handler's result as it will be stored. Refuses one that the server would drop or refuse. */
export function checkedResult(
  { definition }: { readonly definition: AnyResourceDefinition | undefined },
  { spec, status }: ApiResource,
  [id, result]: readonly [id: string, result: unknown],
): unknown {
  const steps = [{ kind: 'field', name: 'status' } as const, { kind: 'field', name: id } as const]
  if (definition === undefined || !resolveSchemaPath(definition.schema(), steps).schema) {
    const what = definition?.kind ?? 'the resource'
    throw new GiveUpError(
      `the handler ${id} returned a value, but the status of ${what} has no field ${JSON.stringify(id)} to store it; add it to the status schema, give the handler the id of a field, or return nothing`,
    )
  }
  const { kept = null } = JSON.parse(JSON.stringify({ kept: result })) as { kept?: unknown }
  if (kept === null) throw new Error('its result cannot be stored: it is not JSON')
  const parsed = definition.safeParse(
    { spec, status: { ...(status as object), [id]: kept } },
    { rules: 'skip' },
  )
  const issues = parsed.success ? [] : parsed.issues
  const at = `status.${id}`
  const problem = issues.find(({ field }) => field.split(/[.[]/, 2).join('.') === at)
  if (problem === undefined) return kept
  throw new Error(`its result cannot be stored: ${problem.field}: ${problem.message}`)
}

/** A merge patch that replaces a value instead of merging into it. */
export function replacedBy(before: unknown, after: unknown): unknown {
  if (!hasFields(before) || !hasFields(after)) return after
  const removed = Object.keys(before).filter((name) => !Object.hasOwn(after, name))
  return Object.fromEntries([
    ...removed.map((name) => [name, null] as const),
    ...Object.entries(after).map(([name, value]) => [name, replacedBy(before[name], value)]),
  ])
}
