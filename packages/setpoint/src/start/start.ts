import { loadConnection } from '../client/index.ts'
import { nodeHost } from '../host/index.ts'
import { hostLogger } from '../log/index.ts'
import type { AnyOperator } from '../operator/index.ts'
import { outsideSpans } from '../trace/index.ts'
import { checkNames } from './check-operators.ts'
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
