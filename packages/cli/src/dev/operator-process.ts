import { type AnyOperator, policyObjects, type RunReport, start, type StartOptions } from 'setpoint'
import { isApiError, loadConnection } from 'setpoint/client'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  type ExitCode,
  exitCodes,
  portOption,
} from '../command/index.ts'
import { checkExpressions } from '../expressions/index.ts'
import { operatorsIn } from '../project/index.ts'
import { importedUrls, listenToStarter } from '../system/index.ts'
import type {
  EndedRun,
  LoadedOperator,
  SentKind,
  StarterMessage,
  WorkerMessage,
} from './messages.ts'
import { formatError } from './format-error.ts'

/**
 * The process in which `setpoint dev` runs the operators. It loads them, reports them, and waits
 * for the message `work`, so that the operators that it replaces can stop first. A crash of the
 * author's code ends this process only, not the cluster.
 */
export async function runOperatorProcess(
  context: CommandContext,
  input: CommandInput,
): Promise<ExitCode> {
  const { host, folder } = context
  const [file = ''] = input.arguments
  const received = { work: defer('work'), stop: defer('stop') }
  const starter = listenToStarter<StarterMessage, WorkerMessage>({
    onMessage: (message) => received[message.do].resolve(),
    onGone: () => received.stop.resolve(),
  })
  try {
    const operators = await operatorsIn(file)
    await checkExpressions(operators)
    starter.send({ is: 'loaded', operators: operators.map(described), urls: importedUrls() })
    if ((await Promise.race([received.work.promise, received.stop.promise])) === 'stop')
      return exitCodes.ok
    const kubeconfig = input.value('kubeconfig')
    const connection = await loadConnection(host, { kubeconfig, context: input.value('context') })
    // The log goes to the standard output as JSON without secrets; the starter reads it.
    await using running = await start(operators, {
      host,
      connection,
      install: true,
      ...webhooksOf(input, operators),
      onRunEnd: (report) => starter.send({ is: 'run', run: endedRun(report, folder) }),
    })
    starter.send({ is: 'working' })
    await Promise.race([received.stop.promise, running.ended])
    return exitCodes.ok
  } catch (error) {
    // The error that the author's module threw, instead of the CommandError around it.
    const thrown = error instanceof CommandError ? (error.cause ?? error) : error
    const shown = formatError(thrown, folder)
    const message = isRefusedDefinition(error)
      ? `${shown.message}; ${refusedAdvice}`
      : shown.message
    starter.send({ is: 'failed', error: { ...shown, message }, urls: importedUrls() })
    return exitCodes.failed
  }
}

/** The options of the webhooks; `setpoint dev` itself listens at the URL. */
function webhooksOf(
  input: CommandInput,
  operators: readonly AnyOperator[],
): Pick<StartOptions, 'webhooks'> {
  const url = input.value('webhook-url')
  const port = portOption(input, 'webhook-port')
  const certificates = input.value('webhook-certificates')
  // The proxy of the starter ends TLS, and the certificate of the API server with it.
  const hasApi = operators.some(({ declaration }) => declaration.api !== undefined)
  if (hasApi && !/^https:\/\/127\.0\.0\.1[:/]/.test(url ?? '')) {
    throw new CommandError(
      'setpoint dev serves aggregated APIs only to a cluster on this machine',
      {
        hint: 'use the embedded cluster; for others, deploy the operators with setpoint deploy',
      },
    )
  }
  if (url !== undefined) return { webhooks: { url, port, certificates } }
  const isReviewing = operators.some(({ declaration }) => declaration.admission.length > 0)
  if (!isReviewing) return {}
  throw new CommandError('the operators have webhooks, which this cluster cannot reach', {
    hint: 'pass an address of this machine: --webhook-url https://laptop.example.com:9443',
  })
}

const refusedAdvice =
  'during development, delete the CRD with kubectl (this deletes its objects) and reload the operators'

/** The server refuses a CRD update that is invalid for stored objects or the installed CRD. */
function isRefusedDefinition(error: unknown): boolean {
  return isApiError(error, 'API_INVALID') && error.message.includes('CustomResourceDefinition')
}

/** A promise with its resolve function. */
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
  return {
    name: declaration.options.name,
    kind: sent(declaration.kind),
    isApi: declaration.api !== undefined,
    children: declaration.children.map(({ kind }) => sent(kind)),
    policies: policyObjects([{ declaration }]).map(({ kind, metadata: { name } }) => ({
      kind,
      name,
    })),
  }
}

function sent(of: SentKind): SentKind {
  const { group, version, apiVersion, kind, plural, scope, subresources } = of
  return { group, version, apiVersion, kind, plural, scope, subresources }
}

function endedRun(report: RunReport, folder: string): EndedRun {
  const { controller, run, result, durationMs, error } = report
  return {
    operator: controller,
    key: run.key,
    result,
    reasons: run.reasons.map(String),
    durationMs,
    error: error === undefined ? undefined : formatError(error, folder),
  }
}
