import { builtinResources } from './builtin-resources.ts'
import { compareVersions } from './custom-resources.ts'
import type { ServedResource } from './served-resource.ts'

/** A group with its versions in order of preference. */
export interface ServedGroup {
  readonly name: string
  readonly versions: readonly ServedVersion[]
}

/** One version of a group. */
export interface ServedVersion {
  readonly version: string
  readonly isCustom: boolean
  readonly resources: readonly ServedResource[]
}

/** The resources that the server offers now: the built-in ones and those of definitions. */
export class Registry {
  readonly #builtin: readonly ServedResource[]
  readonly #byPath = new Map<string, ServedResource>()
  readonly #custom = new Map<string, readonly ServedResource[]>()
  #groups: readonly ServedGroup[] | undefined
  #all: readonly ServedResource[] | undefined
  readonly #listeners = new Set<() => void>()

  constructor() {
    this.#builtin = builtinResources()
    for (const resource of this.#builtin) this.#byPath.set(pathOf(resource), resource)
  }

  /** Increases with every change, so that derived values can be cached by it. */
  revision = 0

  find(group: string, version: string, plural: string): ServedResource | undefined {
    return this.#byPath.get(`${group}/${version}/${plural}`)
  }

  /** Any version of a resource, the preferred one first. */
  findResource(group: string, plural: string): ServedResource | undefined {
    return this.all().find((resource) => resource.group === group && resource.plural === plural)
  }

  /** Replaces the resources of a definition, by its name; an empty list removes them. */
  setCustom(definition: string, resources: readonly ServedResource[]): void {
    for (const resource of this.#custom.get(definition) ?? []) this.#byPath.delete(pathOf(resource))
    if (resources.length === 0) this.#custom.delete(definition)
    else this.#custom.set(definition, resources)
    for (const resource of resources) this.#byPath.set(pathOf(resource), resource)
    this.#groups = undefined
    this.#all = undefined
    this.revision += 1
    for (const run of [...this.#listeners]) run()
  }

  /**
   * Calls back after every change of the resources of definitions. Returns the function that
   * unsubscribes.
   */
  onChange(run: () => void): () => void {
    this.#listeners.add(run)
    return () => void this.#listeners.delete(run)
  }

  /** All resources, the built-in ones first. */
  all(): readonly ServedResource[] {
    this.#all ??= [...this.#builtin, ...[...this.#custom.values()].flat()]
    return this.#all
  }

  /** The groups in the order of discovery: built-in ones as on a real server, others by name. */
  groups(): readonly ServedGroup[] {
    this.#groups ??= groupsOf(this.#builtin, [...this.#custom.values()].flat())
    return this.#groups
  }

  hasGroup(name: string): boolean {
    return this.groups().some((group) => group.name === name)
  }
}

function pathOf({ group, version, plural }: ServedResource): string {
  return `${group}/${version}/${plural}`
}

function groupsOf(
  builtin: readonly ServedResource[],
  custom: readonly ServedResource[],
): ServedGroup[] {
  const groups = [...new Set(builtin.map(({ group }) => group))].map((name) =>
    groupOf(name, builtin, false),
  )
  const customNames = [...new Set(custom.map(({ group }) => group))].sort()
  return [...groups, ...customNames.map((name) => groupOf(name, custom, true))]
}

function groupOf(
  name: string,
  resources: readonly ServedResource[],
  isCustom: boolean,
): ServedGroup {
  const own = resources.filter(({ group }) => group === name)
  const names = [...new Set(own.map(({ version }) => version))]
  if (isCustom) names.sort(compareVersions)
  const versions = names.map((version) => ({
    version,
    isCustom,
    resources: own
      .filter((resource) => resource.version === version)
      .sort((a, b) => (isCustom && a.plural !== b.plural ? (a.plural < b.plural ? -1 : 1) : 0)),
  }))
  return { name, versions }
}
