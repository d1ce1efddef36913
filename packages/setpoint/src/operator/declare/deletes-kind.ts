import { kindKey } from '../../kinds/kind-key.ts'
import type { Kind } from '../../kinds/kind.ts'
import type { OperatorDeclaration } from './operator-declaration.ts'

/**
 * Whether an operator deletes children of a kind. If all its children of the kind are retained, its
 * role has no `delete`. A child that an earlier version of the operator declared is then left, as
 * one of a kind that the operator no longer declares.
 */
export function deletesKind({ children }: OperatorDeclaration, kind: Kind): boolean {
  return children.some(
    (child) =>
      kindKey(child.kind) === kindKey(kind) &&
      (child.deletion !== 'retain' || child.onImmutable === 'replace'),
  )
}
