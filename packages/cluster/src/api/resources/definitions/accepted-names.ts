import type { DefinitionNames } from '../custom-resources.ts'

/** The names of a definition that were accepted, and the problem with the others. */
interface NamesDecision {
  readonly accepted: DefinitionNames
  /** The last problem that was found, as on a real server. */
  readonly problem: { readonly reason: string; readonly message: string } | undefined
}

/**
 * Decides about the requested names of a definition. A name that another definition of the group
 * has is refused, and the name that was accepted before stays.
 */
export function decideNames(
  requested: DefinitionNames,
  before: DefinitionNames | undefined,
  others: readonly DefinitionNames[],
): NamesDecision {
  const own = before ?? { plural: '', kind: '' }
  const all = [...others, own]
  const resources = new Set(
    all.flatMap(({ plural, singular = '', shortNames = [] }) => [plural, singular, ...shortNames]),
  )
  const kinds = new Set(all.flatMap(({ kind, listKind = '' }) => [kind, listKind]))
  let problem: NamesDecision['problem']
  const decided = (
    wanted: string,
    { old, used, reason }: { old: string; used: ReadonlySet<string>; reason: string },
  ): string => {
    if (wanted === old || !used.has(wanted)) return wanted
    problem = { reason, message: inUse(wanted) }
    return old
  }
  const { singular: oldSingular = '', listKind: oldListKind = '', shortNames: oldShort = [] } = own
  const plural = decided(requested.plural, {
    old: own.plural,
    used: resources,
    reason: 'PluralConflict',
  })
  const singular = decided(requested.singular ?? '', {
    old: oldSingular,
    used: resources,
    reason: 'SingularConflict',
  })
  const wantedShort = requested.shortNames ?? []
  const refused = wantedShort.filter((name) => !oldShort.includes(name) && resources.has(name))
  if (refused.length > 0) {
    problem = { reason: 'ShortNamesConflict', message: together(refused.map(inUse)) }
  }
  const kind = decided(requested.kind, { old: own.kind, used: kinds, reason: 'KindConflict' })
  const listKind = decided(requested.listKind ?? '', {
    old: oldListKind,
    used: kinds,
    reason: 'ListKindConflict',
  })
  const shortNames = refused.length > 0 ? oldShort : wantedShort
  const { categories = [] } = requested
  return {
    problem,
    accepted: {
      plural,
      ...(singular === '' ? {} : { singular }),
      ...(shortNames.length === 0 ? {} : { shortNames }),
      kind,
      ...(listKind === '' ? {} : { listKind }),
      ...(categories.length === 0 ? {} : { categories }),
    },
  }
}

/** Whether two sets of names are equal. Missing lists are empty ones. */
export function sameNames(a: DefinitionNames, b: DefinitionNames | undefined): boolean {
  return b !== undefined && textOf(a) === textOf(b)
}

function textOf(names: DefinitionNames): string {
  const { plural, singular = '', shortNames = [], kind, listKind = '', categories = [] } = names
  return JSON.stringify([plural, singular, shortNames, kind, listKind, categories])
}

function inUse(name: string): string {
  return `${JSON.stringify(name)} is already in use`
}

/** Several errors are written as Go writes an aggregate, which has every text once. */
function together(messages: readonly string[]): string {
  const different = [...new Set(messages)]
  return different.length > 1 ? `[${different.join(', ')}]` : (different[0] ?? '')
}
