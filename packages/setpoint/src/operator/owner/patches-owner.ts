import type { OperatorDeclaration } from '../declare/operator-declaration.ts'
import { needsFinalizer } from './finalizer.ts'

/** Whether handlers keep their memory on the object, or need a finalizer. */
function isRemembered({ handlers }: OperatorDeclaration): boolean {
  return handlers.some(
    (handler) =>
      handler.on === 'create' ||
      handler.on === 'update' ||
      handler.on === 'daemon' ||
      (handler.on === 'timer' && handler.schedule.isLongInterval),
  )
}

/**
 * Whether objects of the served kind are patched. Those of the program's own definitions always
 * are, because an operator that needed a finalizer in an earlier version must be able to remove it,
 * or deletions would hang. Other kinds are patched only if the operator needs it, because the
 * permission to patch Nodes, for example, is too powerful for a rare case.
 */
export function patchesOwner(declaration: OperatorDeclaration): boolean {
  return (
    declaration.definition !== undefined || needsFinalizer(declaration) || isRemembered(declaration)
  )
}
