import { goJson, type JsonObject } from 'setpoint/schema'
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
  // By their text: comparing each with each takes seconds for thousands of them.
  const kept = new Map<string, (typeof owners)[number]>()
  const repeated: typeof owners = []
  for (const owner of owners) {
    const identity = goJson(owner as unknown as JsonObject)
    if (kept.has(identity)) repeated.push(owner)
    else kept.set(identity, owner)
  }
  if (repeated.length === 0) return
  metadata.ownerReferences = [...kept.values()]
  const when = isPatched ? ' after mutating admission happens' : ''
  for (const owner of repeated) {
    warnings.add(
      `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${owner.uid}`,
    )
  }
}
