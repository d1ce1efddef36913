import { SetpointError } from '../errors/index.ts'
import type { AnyOperator } from '../operator/index.ts'
import { hasWebhooks } from '../webhooks/index.ts'

/**
 * Operators are distinguished by name in the cluster: as field managers, in annotations, finalizers
 * and metrics.
 */
export function checkNames(operators: readonly AnyOperator[]): void {
  const names = operators.map(({ declaration }) => declaration.options.name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice === undefined) return
  throw new SetpointError('OPERATOR_INVALID', `two operators have the name ${twice}`, {
    hint: "give one of them another name: operator(Kind, { name: '...' })",
  })
}

/** What other programs call, and what is installed, is prepared when a process starts. */
export function checkAddable(operators: readonly AnyOperator[]): void {
  const refused = operators.find(
    (one) =>
      hasWebhooks([one]) ||
      one.declaration.httpSources.length > 0 ||
      one.declaration.policies.length > 0,
  )
  if (refused === undefined) return
  throw new SetpointError(
    'OPERATOR_INVALID',
    `${refused.declaration.options.name} has webhooks, policies or HTTP sources and cannot be added`,
    { hint: 'pass it to start()' },
  )
}
