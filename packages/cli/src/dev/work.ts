import { type AnyOperator, type RunReport, start } from 'setpoint'
import { isApiError, loadConnection } from 'setpoint/client'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  type ExitCode,
  exitCodes,
} from '../command/index.ts'
import { operatorsIn } from '../project/index.ts'
import { importedUrls, listenToStarter } from '../system/index.ts'
import type { EndedRun, LoadedOperator, Order, Tiding } from './messages.ts'
import { shownError } from './shown-error.ts'

/**
 * The process that `setpoint dev` runs operators in: it loads them, says what they are, and waits to be told to work,
 * so that the ones it replaces can finish first. Code of the author's can do here what it wants; the cluster goes on.
 */
export async function runWork(context: CommandContext, input: CommandInput): Promise<ExitCode> {
  const { host, folder } = context
  const [file = ''] = input.arguments
  const orders = { work: defer('work'), stop: defer('stop') }
  const starter = listenToStarter<Order, Tiding>({
    onMessage: (order) => orders[order.do].resolve(),
    onGone: () => orders.stop.resolve(),
  })
  try {
    const operators = await operatorsIn(file)
    starter.send({ is: 'loaded', operators: operators.map(described), urls: importedUrls() })
    if ((await Promise.race([orders.work.promise, orders.stop.promise])) === 'stop')
      return exitCodes.ok
    const kubeconfig = input.value('kubeconfig')
    const connection = await loadConnection(host, { kubeconfig, context: input.value('context') })
    // Its log goes to the standard output, which the starter reads: as JSON, with secrets left out.
    await using running = await start(operators, {
      host,
      connection,
      install: true,
      onRunEnd: (report) => starter.send({ is: 'run', run: endedRun(report, folder) }),
    })
    starter.send({ is: 'working' })
    await Promise.race([orders.stop.promise, running.ended])
    return exitCodes.ok
  } catch (error) {
    // What the author's module threw says more than that it could not be loaded.
    const thrown = error instanceof CommandError ? (error.cause ?? error) : error
    const shown = shownError(thrown, folder)
    const message = isRefusedDefinition(error)
      ? `${shown.message}; ${refusedAdvice}`
      : shown.message
    starter.send({ is: 'failed', error: { ...shown, message }, urls: importedUrls() })
    return exitCodes.failed
  }
}

const refusedAdvice =
  'while you try things out, delete the CRD with kubectl (its objects go with it), and load the operators anew'

/** A change that a server does not allow, because objects are stored in the way that was installed before. */
function isRefusedDefinition(error: unknown): boolean {
  return isApiError(error, 'API_INVALID') && error.message.includes('CustomResourceDefinition')
}

/** An order that was given, or will be. */
function defer<What>(what: What): {
  readonly promise: Promise<What>
  readonly resolve: () => void
} {
  let resolve: () => void = () => undefined
  const promise = new Promise<What>((done) => {
    resolve = () => done(what)
  })
  return { promise, resolve }
}

function described({ declaration }: AnyOperator): LoadedOperator {
  const { group, version, apiVersion, kind, plural, scope, subresources } = declaration.kind
  return {
    name: declaration.options.name,
    kind: { group, version, apiVersion, kind, plural, scope, subresources },
  }
}

function endedRun(report: RunReport, folder: string): EndedRun {
  const { controller, run, result, durationMs, error } = report
  return {
    operator: controller,
    key: run.key,
    result,
    reasons: run.reasons.map(String),
    durationMs,
    error: error === undefined ? undefined : shownError(error, folder),
  }
}
