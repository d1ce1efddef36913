import type { Kind } from '../../kinds/kind.ts'
import type { ChildDeclaration } from './operator-declaration.ts'

/**
 * Whether a child may be where it cannot have an owner reference. Then a finalizer of its owner
 * makes sure that it is deleted.
 */
export function isCrossNamespace(
  { kind, crossNamespace }: ChildDeclaration,
  resource: Kind,
): boolean {
  if (resource.scope === 'Cluster') return false
  return crossNamespace === true || kind.scope === 'Cluster'
}
