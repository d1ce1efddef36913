import type { JsonObject } from 'setpoint/schema'
import { nameOf } from '../../../object/index.ts'
import { definitionSpec, type DefinitionNames } from '../custom-resources.ts'
import type { DefinitionsContext } from './definitions-context.ts'

/** Names that another resource of the group already has. */
interface NameConflict {
  readonly cause: { readonly reason: string; readonly message: string }
  /** The names without a conflict. */
  readonly accepted: DefinitionNames
}

/** The conflicting names of a definition; `undefined` when all are free. */
export function nameConflict(
  definition: JsonObject,
  { registry }: DefinitionsContext,
): NameConflict | undefined {
  const { group, names } = definitionSpec(definition)
  const others = registry
    .all()
    .filter((resource) => resource.group === group && ownerOf(resource) !== nameOf(definition))
  const resources = new Set(
    others.flatMap((other) => [other.plural, other.singular, ...other.shortNames]),
  )
  const kinds = new Set(others.flatMap((other) => [other.kind, other.listKind]))
  const shortNames = names.shortNames ?? []
  const taken: [string, string][] = []
  if (resources.has(names.plural)) taken.push(['PluralConflict', names.plural])
  if (resources.has(names.singular ?? '')) taken.push(['SingularConflict', names.singular ?? ''])
  for (const shortName of shortNames) {
    if (resources.has(shortName)) taken.push(['ShortNamesConflict', shortName])
  }
  if (kinds.has(names.kind)) taken.push(['KindConflict', names.kind])
  if (kinds.has(names.listKind ?? '')) taken.push(['ListKindConflict', names.listKind ?? ''])
  // The condition reports the last problem that was found, as on a real server.
  const last = taken.at(-1)
  if (last === undefined) return undefined
  const [reason, name] = last
  const isFree = (kind: string): boolean => !taken.some(([conflict]) => conflict === kind)
  return {
    cause: { reason, message: `"${name}" is already in use` },
    accepted: {
      plural: isFree('PluralConflict') ? names.plural : '',
      ...(isFree('SingularConflict') && names.singular !== undefined
        ? { singular: names.singular }
        : {}),
      ...(isFree('ShortNamesConflict') && shortNames.length > 0 ? { shortNames } : {}),
      kind: isFree('KindConflict') ? names.kind : '',
      ...(isFree('ListKindConflict') && names.listKind !== undefined
        ? { listKind: names.listKind }
        : {}),
      ...(names.categories === undefined ? {} : { categories: names.categories }),
    },
  }
}

function ownerOf({ plural, group }: { plural: string; group: string }): string {
  return `${plural}.${group}`
}
