import { loadConnection } from '../client/index.ts'
import { SetpointError } from '../errors/index.ts'
import { nodeHost } from '../host/index.ts'
import { hostLogger } from '../log/index.ts'
import type { AnyOperator } from '../operator/index.ts'
import { outsideSpans } from '../trace/index.ts'
import { localWebhooks } from './local-webhooks.ts'
import { OperatorProcess } from './operator-process.ts'
import { restrictedTo } from './restricted-to.ts'
import type { RunningOperators, StartOptions } from './start-options.ts'

/** Starts operators against a cluster. They share caches: one watch per kind. */
export async function start(
  operators: readonly AnyOperator[],
  options: StartOptions = {},
): Promise<RunningOperators> {
  checkNames(operators)
  const host = options.host ?? nodeHost()
  const logger = options.logger ?? hostLogger(host, { level: options.logLevel })
  const connection = options.connection ?? (await loadConnection(host))
  const restricted = restrictedTo(operators, options.namespaces)
  const { webhooks = await localWebhooks(restricted, { ...options, host, connection }) } = options
  const parts = { ...options, host, logger, connection, webhooks }
  const process = new OperatorProcess(restricted, parts)
  // The process outlives the trace of the caller.
  await outsideSpans(async () => process.begin())
  return process
}

/**
 * Operators are distinguished by name in the cluster: as field managers, in annotations, finalizers
 * and metrics.
 */
function checkNames(operators: readonly AnyOperator[]): void {
  const names = operators.map(({ declaration }) => declaration.options.name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice === undefined) return
  throw new SetpointError('OPERATOR_INVALID', `two operators have the name ${twice}`, {
    hint: "give one of them another name: operator(Kind, { name: '...' })",
  })
}
