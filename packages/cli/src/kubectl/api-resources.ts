import type { Kind } from 'setpoint'
import type { Client } from 'setpoint/client'
import { KubectlProblem } from './kubectl-problem.ts'

/** A kind of the server, with all of its names. */
export interface ApiResource extends Kind<ApiObject> {
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly verbs: readonly string[]
  readonly categories: readonly string[]
}

/** An object of any kind. */
export interface ApiObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ApiMetadata
  readonly [field: string]: unknown
}

/** The metadata that commands use. */
export interface ApiMetadata {
  readonly name: string
  readonly namespace?: string
  readonly uid?: string
  readonly resourceVersion?: string
  readonly generation?: number
  readonly creationTimestamp?: string
  readonly deletionTimestamp?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

interface DiscoveredGroup {
  readonly metadata?: { readonly name?: string }
  readonly versions: readonly {
    readonly version: string
    readonly resources?: readonly {
      readonly resource: string
      readonly responseKind?: { readonly kind: string }
      readonly scope: 'Namespaced' | 'Cluster'
      readonly singularResource?: string
      readonly verbs: readonly string[]
      readonly shortNames?: readonly string[]
      readonly categories?: readonly string[]
      readonly subresources?: readonly { readonly subresource: string }[]
    }[]
  }[]
}

const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** The kinds of a server, found by any of their names. */
export class ApiResources {
  /**
   * In the server's order: its own group first, the preferred version of a group before the others.
   */
  readonly all: readonly ApiResource[]

  private constructor(all: readonly ApiResource[]) {
    this.all = all
  }

  /** Reads the discovery documents of the server, with two requests. */
  static async read({ transport }: Client): Promise<ApiResources> {
    const read = async (path: string): Promise<readonly DiscoveredGroup[]> => {
      const what = 'discovery of the kinds'
      const text = await transport.text({ method: 'GET', path, headers: { accept }, what })
      const { kind, items } = JSON.parse(text) as { kind?: string; items?: DiscoveredGroup[] }
      if (kind === 'APIGroupDiscoveryList' && items !== undefined) return items
      throw new KubectlProblem(
        'error: the server has no aggregated discovery; it is older than 1.30',
      )
    }
    const [own, groups] = await Promise.all([read('/api'), read('/apis')])
    return new ApiResources([...own, ...groups].flatMap(resourcesOf))
  }

  /** The preferred version of every kind. */
  get preferred(): readonly ApiResource[] {
    const seen = new Set<string>()
    return this.all.filter(({ group, plural }) => {
      const key = `${plural}.${group}`
      return !seen.has(key) && seen.add(key)
    })
  }

  /** The kind of a name: `pods`, `Pod`, `po`, `deploy.apps`, `deployments.v1.apps`. */
  named(word: string): ApiResource {
    const found = this.find(word)
    if (found !== undefined) return found
    throw new KubectlProblem(
      `error: the server doesn't have a resource type ${JSON.stringify(word)}`,
    )
  }

  /** The kind of a name, or undefined if the server has none of that name. */
  find(word: string): ApiResource | undefined {
    const [name = '', ...suffix] = word.split('.')
    const [version = '', ...group] = suffix
    return (
      this.#matching(word, () => true) ??
      this.#matching(name, (each) => suffix.length > 0 && each.group === suffix.join('.')) ??
      this.#matching(
        name,
        (each) => suffix.length > 0 && each.version === version && each.group === group.join('.'),
      )
    )
  }

  /** All kinds of a category, such as `all`. */
  inCategory(word: string): readonly ApiResource[] {
    return this.preferred.filter(({ categories }) => categories.includes(word))
  }

  /** The kind of an object's apiVersion and kind. */
  ofObject({ apiVersion, kind }: { apiVersion: string; kind: string }): ApiResource | undefined {
    return this.all.find((each) => each.apiVersion === apiVersion && each.kind === kind)
  }

  #matching(word: string, accepts: (resource: ApiResource) => boolean): ApiResource | undefined {
    const candidates = this.all.filter(accepts)
    const lower = word.toLowerCase()
    return (
      candidates.find(({ plural }) => plural === lower) ??
      candidates.find(({ singular }) => singular === lower) ??
      candidates.find(({ shortNames }) => shortNames.includes(word)) ??
      candidates.find(({ kind }) => kind.toLowerCase() === lower)
    )
  }
}

function resourcesOf({ metadata, versions }: DiscoveredGroup): ApiResource[] {
  const group = metadata?.name ?? ''
  return versions.flatMap(({ version, resources = [] }) =>
    resources.map((found) => ({
      group,
      version,
      apiVersion: group === '' ? version : `${group}/${version}`,
      kind: found.responseKind?.kind ?? '',
      plural: found.resource,
      singular: found.singularResource ?? '',
      shortNames: found.shortNames ?? [],
      categories: found.categories ?? [],
      verbs: found.verbs,
      scope: found.scope,
      subresources: (found.subresources ?? []).map(({ subresource }) => subresource),
    })),
  )
}

/** How kubectl names an object in its answers: `deployment.apps/web`. */
export function titleOf(resource: ApiResource, name: string): string {
  return `${typeTitleOf(resource)}/${name}`
}

/** How kubectl names a kind in its answers: `deployment.apps`. */
export function typeTitleOf({ kind, group }: ApiResource): string {
  return group === '' ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`
}

/** `widgets.example.com`, as error messages name a kind. */
export function groupResourceOf({ plural, group }: ApiResource): string {
  return group === '' ? plural : `${plural}.${group}`
}
