import type { Kind } from '../../kinds/kind.ts'
import type { OperatorDeclaration } from './operator-declaration.ts'

/** The declaration of an operator that declares nothing yet. */
export function emptyDeclaration(
  kind: Kind,
  options: OperatorDeclaration['options'],
): OperatorDeclaration {
  return {
    kind,
    definition: undefined,
    options,
    filter: undefined,
    preparations: [],
    children: [],
    owns: [],
    writes: [],
    parts: [],
    watches: [],
    sources: [],
    httpSources: [],
    cleanUps: [],
    handlers: [],
    indexes: [],
    admission: [],
    policies: [],
    runbooks: [],
    status: undefined,
    reconcile: undefined,
  }
}
