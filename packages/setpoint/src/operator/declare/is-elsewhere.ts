import type { Kind } from '../../kinds/kind.ts'
import type { ChildDeclaration } from './operator-declaration.ts'

/** Whether owner references may not reach a child: then a finalizer of its owner cleans it up. */
export function isElsewhere({ kind, elsewhere }: ChildDeclaration, resource: Kind): boolean {
  if (resource.scope === 'Cluster') return false
  return elsewhere === true || kind.scope === 'Cluster'
}
