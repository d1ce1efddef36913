import { jsonEquals, type JsonObject } from 'setpoint/schema'
import { metadataOf } from '../../object/index.ts'
import type { WarningList } from '../http/warnings.ts'

/** Drops duplicate owner references with a warning. Patches get another message. */
export function withoutDuplicateOwners(
  object: JsonObject,
  warnings: WarningList,
  { isPatched = false }: { readonly isPatched?: boolean } = {},
): void {
  const metadata = metadataOf(object)
  const owners = metadata.ownerReferences
  if (owners === undefined || owners.length < 2) return
  const kept = owners.filter(
    (owner, index) => !owners.slice(0, index).some((earlier) => jsonEquals(earlier, owner)),
  )
  if (kept.length === owners.length) return
  metadata.ownerReferences = kept
  const repeated = owners.filter(
    (owner, index) => !kept.includes(owner) && owners.indexOf(owner) === index,
  )
  const when = isPatched ? ' after mutating admission happens' : ''
  for (const owner of repeated) {
    warnings.add(
      `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${owner.uid}`,
    )
  }
}
