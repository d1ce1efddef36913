import type { Kind } from 'setpoint'
import type { Client } from 'setpoint/client'
import { CustomResourceDefinition } from 'setpoint/kinds'
import { CommandError } from '../command/index.ts'
import { type MigrationPosition, positionIn } from './migration-position.ts'

/** A CRD of the cluster, as far as a migration needs it. */
export interface StoredDefinition {
  /** The name of the CRD. */
  readonly name: string
  readonly uid: string
  /** The version in which the server stores objects now. */
  readonly storage: string
  /** The other versions in which objects may be stored. */
  readonly oldVersions: readonly string[]
  /** The kind in each version that the server serves, the storage version first. */
  readonly kinds: readonly [Kind, ...Kind[]]
  /** It changes with each change of the spec. */
  readonly generation: number
  /** Where an interrupted migration to this state of the CRD stopped. */
  readonly position: MigrationPosition | undefined
}

/** Reads a CRD; `undefined` if the cluster does not have it. */
export async function readDefinition(
  client: Client,
  name: string,
): Promise<StoredDefinition | undefined> {
  const crd = await client.find(CustomResourceDefinition, name)
  return crd === undefined ? undefined : storedDefinition(crd)
}

function storedDefinition({ metadata, spec, status }: CustomResourceDefinition): StoredDefinition {
  const { name, uid, generation = 0 } = metadata
  const { group, names, scope, versions } = spec
  const storage = versions.find((version) => version.storage)?.name ?? ''
  const served = versions.filter((version) => version.served).map((version) => version.name)
  const ordered = [storage, ...served].filter(
    (version, index, all) => served.includes(version) && all.indexOf(version) === index,
  )
  const [first, ...others] = ordered.map((version): Kind => ({
    group,
    version,
    apiVersion: `${group}/${version}`,
    kind: names.kind,
    plural: names.plural,
    scope: scope === 'Cluster' ? 'Cluster' : 'Namespaced',
    subresources: [],
  }))
  if (first === undefined) {
    throw new CommandError(`the CRD ${name} serves no version, so its objects cannot be read`, {
      hint: 'set served: true for one of its versions',
    })
  }
  return {
    name,
    uid,
    storage,
    oldVersions: (status?.storedVersions ?? []).filter((version) => version !== storage),
    kinds: [first, ...others],
    generation,
    position: positionIn(metadata.annotations, generation),
  }
}
