import type { AnyResourceDefinition, Kind } from 'setpoint'
import { type Client, isApiError } from 'setpoint/client'
import { metadataOf } from 'setpoint/kinds'
import { CommandError } from '../../command/index.ts'
import { crdName } from '../../generate/index.ts'
import { installedCrd } from './definition-plan.ts'

/** A definition whose CRD is installed. */
export interface InstalledResource {
  readonly definition: AnyResourceDefinition
  /** The kind in a version that the cluster serves, which the definition might no longer have. */
  readonly kind: Kind
}

/** An object of a user. */
export interface ResourceObject {
  readonly name: string
  readonly namespace?: string
  readonly finalizers?: readonly string[]
  readonly deletionTimestamp?: string
}

/** The definitions whose CRDs are installed. */
export async function installedResources(
  client: Client,
  definitions: readonly AnyResourceDefinition[],
): Promise<InstalledResource[]> {
  const found = await Promise.all(
    definitions.map(async (definition) => {
      const crd = await installedCrd(client, definition)
      if (crd === undefined) return []
      const served = crd.spec.versions.filter((version) => version.served).map(({ name }) => name)
      const version = served.find((name) => name === definition.version) ?? served[0]
      const { group, plural, scope, subresources } = definition
      const name = version ?? definition.version
      const identity = { group, version: name, apiVersion: `${group}/${name}` }
      return [
        { definition, kind: { ...identity, kind: definition.kind, plural, scope, subresources } },
      ]
    }),
  )
  return found.flat()
}

/** The objects of a resource in all namespaces; none when it is not served. */
export async function objectsOf(
  client: Client,
  { kind }: InstalledResource,
): Promise<ResourceObject[]> {
  try {
    const objects = await client.listAll(metadataOf(kind))
    return (objects as { readonly metadata: ResourceObject }[]).map(({ metadata }) => metadata)
  } catch (error) {
    if (isApiError(error, 'API_NOT_FOUND')) return []
    throw error
  }
}

/** The number of objects of a resource, by namespace. */
export interface ResourceCount {
  /** The name of the CRD. */
  readonly resource: string
  readonly total: number
  /** Empty for cluster-scoped resources. */
  readonly namespaces: Readonly<Record<string, number>>
}

/** Counts the objects that would be deleted with the CRDs; without resources that have none. */
export async function resourceCounts(
  client: Client,
  resources: readonly InstalledResource[],
): Promise<ResourceCount[]> {
  const counts = await Promise.all(
    resources.map(async (resource): Promise<ResourceCount> => {
      const objects = await objectsOf(client, resource)
      const namespaces: Record<string, number> = {}
      for (const { namespace } of objects) {
        if (namespace !== undefined) namespaces[namespace] = (namespaces[namespace] ?? 0) + 1
      }
      return { resource: crdName(resource.definition), total: objects.length, namespaces }
    }),
  )
  return counts.filter(({ total }) => total > 0)
}

/** One line about a count: `applications.example.com: 3 objects (2 in default, 1 in shop)`. */
export function countLine({ resource, total, namespaces }: ResourceCount): string {
  const places = Object.entries(namespaces).map(([name, count]) => `${count} in ${name}`)
  const where = places.length === 0 ? '' : ` (${places.join(', ')})`
  return `${resource}: ${total} ${total === 1 ? 'object' : 'objects'}${where}`
}

/** Refuses to delete CRDs that have objects, because the server deletes the objects too. */
export function objectsLeftError(counts: readonly ResourceCount[], others: string): CommandError {
  const lines = counts.map((count) => `\n  ${countLine(count)}`)
  return new CommandError(`deleting the CRDs would delete their objects:${lines.join('')}`, {
    hint: `nothing was deleted; delete the objects first, or use --delete-objects${others}`,
  })
}
