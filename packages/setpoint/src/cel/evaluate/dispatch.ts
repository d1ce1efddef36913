import type { FunctionDeclaration, Overload } from '../types/function-declaration.ts'

/** The overloads that a call can have: the one that the checker found, or all of them. */
export function declaredOrder(
  declaration: FunctionDeclaration | undefined,
  overloadId: string,
): readonly Overload[] {
  const overloads = declaration?.overloads ?? []
  const found = overloads.find((overload) => overload.id === overloadId)
  return found === undefined ? overloads : [found]
}
