import { durationMs, limitMs } from '../../host/index.ts'
import { SetpointError } from '../../errors/index.ts'
import type { Kind } from '../../kinds/kind.ts'
import type { ChildDeclaration, OperatorDeclaration } from './operator-declaration.ts'
import type { OperatorOptions } from './operator-options.ts'

/** Refuses a child whose name is taken, or cannot be part of the name of an object. */
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

/**
 * Refuses a child whose `after` names a child that is not declared before it: it would never be
 * created.
 */
export function checkAfter({ kind, children }: OperatorDeclaration, child: ChildDeclaration): void {
  const unknown = child.after?.find((name) => children.every((other) => other.name !== name))
  if (unknown === undefined) return
  throw new SetpointError(
    'OPERATOR_INVALID',
    `the child ${child.name} of the operator for ${kind.kind} comes after ${unknown}, which is not declared before it`,
    { hint: 'declare children in the order in which they wait for each other' },
  )
}

/**
 * Refuses options with which nothing would be reconciled, and names that cannot be written into
 * objects.
 */
export function checkOptions({ kind }: Kind, options: OperatorOptions & { name: string }): void {
  const { name, concurrency = 1, timeout = 1, queue = {} } = options
  durationMs(queue.gather ?? 0, 'queue.gather')
  durationMs(queue.backoff?.first ?? 0, 'queue.backoff.first')
  durationMs(queue.backoff?.max ?? 0, 'queue.backoff.max')
  const problem = !/^[\w. -]{1,128}$/.test(name)
    ? `the name ${JSON.stringify(name)}, which is not made of up to 128 letters, digits, dots, hyphens and blanks`
    : !Number.isInteger(concurrency) || concurrency < 1
      ? `the concurrency ${concurrency}, with which nothing would be done`
      : !(limitMs(timeout, 'timeout') > 0)
        ? `the timeout ${timeout}, with which every reconcile would fail`
        : undefined
  if (problem === undefined) return
  throw new SetpointError('OPERATOR_INVALID', `the operator for ${kind} has ${problem}`, {
    hint: 'leave the option out to have its default',
  })
}

/** Refuses a child without a function. */
export function checkDesired({ kind }: OperatorDeclaration, child: ChildDeclaration): void {
  if (typeof child.desired === 'function') return
  throw new SetpointError(
    'OPERATOR_INVALID',
    `the child ${child.name} of the operator for ${kind.kind} has no function that returns its desired state`,
    { hint: `write .child('${child.name}', ${child.kind.kind}, options, (owner) => ({ ... }))` },
  )
}

/** Refuses a path that is not valid, or that another HTTP source of the operator has. */
export function checkHttpSourcePath(
  { kind, httpSources }: OperatorDeclaration,
  path: string,
): void {
  const isTaken = httpSources.some((source) => source.path === path)
  if (/^\/[\w.~/-]+$/.test(path) && !isTaken) return
  const problem = isTaken ? 'is declared twice' : 'is not a path'
  throw new SetpointError(
    'OPERATOR_INVALID',
    `the operator for ${kind.kind} has an HTTP source whose path ${JSON.stringify(path)} ${problem}`,
    { hint: 'write a path of its own, such as "/events/github"' },
  )
}
