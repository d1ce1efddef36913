import type { Kind } from '../../kinds/kind.ts'
import type { ChildDeclaration } from './operator-declaration.ts'

/** Whether a child cannot have an owner reference. A finalizer of its owner then deletes it. */
export function isCrossNamespace(
  { kind, crossNamespace }: ChildDeclaration,
  resource: Kind,
): boolean {
  if (resource.scope === 'Cluster') return false
  return crossNamespace === true || kind.scope === 'Cluster'
}
