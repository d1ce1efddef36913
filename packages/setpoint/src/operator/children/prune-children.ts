import type { ObjectWriter } from '../write/object-writer.ts'
import { objectName, type OwnedChildren } from './owned-children.ts'

/** The dependencies of `pruneChildren`. */
interface PruneOptions {
  readonly owned: OwnedChildren
  readonly writer: ObjectWriter
  /** The desired objects, as `objectName` names them. */
  readonly desired: ReadonlySet<string>
  /** Asks the server whether the owner still has the generation that was observed. */
  readonly isStillCurrent: () => Promise<boolean>
}

/** Deletes children that are not desired. The server confirms first that the owner is current. */
export async function pruneChildren(options: PruneOptions): Promise<void> {
  const { owned, writer, desired, isStillCurrent } = options
  for (const { kind, object } of owned.cached()) {
    if (desired.has(objectName(kind, object))) continue
    if (!(await isStillCurrent())) return
    await writer.delete(kind, object)
  }
}
