import { type ApiResource, groupResourceOf } from '../api-resources.ts'
import type { FlagDeclarations } from '../kubectl-flags.ts'
import type { KubectlSession } from '../kubectl-session.ts'
import { TextTable } from '../print/text-table.ts'

/** The flags of `api-resources`. */
export const apiResourcesFlags: FlagDeclarations = {
  'api-group': { form: 'text' },
  namespaced: { form: 'yes' },
  verbs: { form: 'list' },
  output: { form: 'text', short: 'o' },
  'no-headers': { form: 'yes' },
}

/** `kubectl api-resources`: prints the kinds of the server. */
export async function apiResources(session: KubectlSession): Promise<void> {
  const { line } = session
  const shown = (await session.resources()).preferred
    .filter(({ kind, verbs }) => kind !== '' && verbs.length > 0)
    .filter(({ group }) => (line.text('api-group') ?? group) === group)
    .filter(
      ({ scope }) =>
        !line.isSet('namespaced') || (scope === 'Namespaced') === line.isOn('namespaced'),
    )
    .filter(({ verbs }) => line.list('verbs').every((verb) => verbs.includes(verb)))
    .sort((a, b) => compare([a.group, a.plural], [b.group, b.plural]))
  if (line.text('output') === 'name') {
    for (const resource of shown) session.print(groupResourceOf(resource))
    return
  }
  const isWide = line.text('output') === 'wide'
  const wide = isWide ? ['VERBS', 'CATEGORIES'] : []
  const heading = ['NAME', 'SHORTNAMES', 'APIVERSION', 'NAMESPACED', 'KIND', ...wide]
  const rows = shown.map((resource) => cellsOf(resource, isWide))
  const all = line.isOn('no-headers') ? rows : [heading, ...rows]
  for (const text of new TextTable().lines(all)) session.print(text)
}

function cellsOf(resource: ApiResource, isWide: boolean): string[] {
  const { plural, shortNames, apiVersion, scope, kind, verbs, categories } = resource
  return [
    plural,
    shortNames.join(','),
    apiVersion,
    String(scope === 'Namespaced'),
    kind,
    ...(isWide ? [[...verbs].sort().join(','), categories.join(',')] : []),
  ]
}

function compare(a: readonly string[], b: readonly string[]): number {
  const [left, right] = [a.join('\0'), b.join('\0')]
  return left < right ? -1 : left === right ? 0 : 1
}
