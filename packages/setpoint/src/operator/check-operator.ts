import { SetpointError } from '../errors/index.ts'
import type { OperatorDeclaration } from './operator-declaration.ts'

/** Refuses a child that cannot be told from another one, or whose name cannot be part of an object's name. */
export function checkedChildName({ kind, children }: OperatorDeclaration, name: string): void {
  const problem = !/^[a-z]([-a-zA-Z0-9]{0,30}[a-zA-Z0-9])?$/.test(name)
    ? 'is not made of letters, digits and hyphens'
    : children.some((child) => child.name === name)
      ? 'is declared twice'
      : undefined
  if (problem === undefined) return
  throw new SetpointError(
    'OPERATOR_INVALID',
    `the operator for ${kind.kind} has a child whose name ${JSON.stringify(name)} ${problem}`,
    { hint: 'give every child of an operator a short name of its own' },
  )
}
