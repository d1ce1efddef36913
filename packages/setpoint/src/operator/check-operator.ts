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

/** Refuses a path that no request can have, or that two webhooks would share. */
export function checkWebhookPath({ kind, webhooks }: OperatorDeclaration, path: string): void {
  const isTaken = webhooks.some((webhook) => webhook.path === path)
  if (/^\/[\w.~/-]+$/.test(path) && !isTaken) return
  const problem = isTaken ? 'is declared twice' : 'is no path'
  throw new SetpointError(
    'OPERATOR_INVALID',
    `the operator for ${kind.kind} has a webhook whose path ${JSON.stringify(path)} ${problem}`,
    { hint: 'write a path of its own, such as "/hooks/github"' },
  )
}
