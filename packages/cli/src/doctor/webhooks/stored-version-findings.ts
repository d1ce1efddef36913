import type { CustomResourceDefinition } from 'setpoint/kinds'
import { type Finding, note } from '../finding.ts'
import { type OwnNames, titleOf } from './called-servers.ts'

/** Own CRDs with objects that may be stored in another version than the storage version. */
export function storedVersionFindings(
  definitions: readonly CustomResourceDefinition[],
  own: OwnNames,
): Finding[] {
  return definitions.flatMap((definition) => {
    const { metadata, spec, status } = definition
    const storage = spec.versions.find((version) => version.storage)?.name ?? ''
    const old = (status?.storedVersions ?? []).filter((version) => version !== storage)
    if (!own.definitions.has(metadata.name) || old.length === 0) return []
    const message = `objects may be stored as ${old.join(' and ')}; the storage version is ${storage}`
    return [note(titleOf(definition), message, `setpoint migrate ${metadata.name}`)]
  })
}
