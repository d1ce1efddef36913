import type { OperatorDeclaration } from './operator-declaration.ts'

/**
 * Whether an operator reconciles objects. One that only reviews requests, has policies or
 * serves an API does not: it watches nothing, and needs no permission to read the kind.
 */
export function hasReconcile(declaration: OperatorDeclaration): boolean {
  const { admission, policies, api, children, owns, writes, watches, sources, httpSources } =
    declaration
  const { cleanUps, handlers, indexes, status, reconcile } = declaration
  const lists = [children, owns, writes, watches, sources, httpSources, cleanUps, handlers, indexes]
  return (
    (admission.length + policies.length === 0 && api === undefined) ||
    lists.some(({ length }) => length > 0) ||
    status !== undefined ||
    reconcile !== undefined
  )
}
