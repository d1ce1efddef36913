import { type RunbookStatus, startAnnotation } from 'setpoint'
import { durationMs } from 'setpoint/host'
import { confirmWrites } from '../access/index.ts'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  type ExitCode,
  exitCodes,
} from '../command/index.ts'
import { changedSteps } from './run-lines.ts'
import { annotate, readRunbooks, type RunbookObject, runbookObject } from './runbook-object.ts'

const pollMs = 500
const timeoutDefault = '1h'
/** How long an operator may take to notice a request, before the command says that none does. */
const noticeMs = 30_000

/** `setpoint runbook start`: starts a runbook of an object, and shows its steps. */
export async function runRunbookStart(
  context: CommandContext,
  input: CommandInput,
): Promise<ExitCode> {
  const { host, terminal } = context
  const [name = '', argument = ''] = input.arguments
  const parameters = parametersOf(input.values('param'))
  const timeoutMs = durationMs(input.value('timeout') ?? timeoutDefault, 'the option --timeout')
  const object = await runbookObject(context, input, argument)
  const what = `start the runbook ${name} of ${object.title}`
  await confirmWrites(context, input, { access: object.access, what })
  const before = (await readRunbooks(object))[name]
  const id = host.uuid()
  const request = parameters === undefined ? { id } : { id, parameters }
  await annotate(object, startAnnotation(name, request))
  if (input.has('no-wait')) {
    terminal.print(`requested ${name} of ${object.title}`)
    return exitCodes.ok
  }
  const follow = { name, id, before, timeoutMs, isJson: input.has('json') }
  const status = await followRun(context, object, follow)
  if (context.signal.aborted) return exitCodes.interrupted
  if (input.has('json')) terminal.print(JSON.stringify(status, undefined, 2))
  else terminal.print(`${name} ${status.run ?? ''}: ${status.state ?? ''}, ${status.message ?? ''}`)
  return status.state === 'Complete' ? exitCodes.ok : exitCodes.failed
}

interface Followed {
  readonly name: string
  /** The id of the request. */
  readonly id: string
  readonly before: RunbookStatus | undefined
  readonly timeoutMs: number
  readonly isJson: boolean
}

/** Waits for the end of the run that a request started. */
async function followRun(
  { host, terminal, signal }: CommandContext,
  object: RunbookObject,
  { name, id, before, timeoutMs, isJson }: Followed,
): Promise<RunbookStatus> {
  const startMs = host.monotonicMs()
  let shown = before
  while (!signal.aborted) {
    const status = (await readRunbooks(object, signal))[name]
    const passedMs = host.monotonicMs() - startMs
    const isHandled = status?.request === id
    if (!isHandled && passedMs > noticeMs) throw unnoticed(object, name)
    if (isHandled && status.refusal !== undefined && status.refusal !== before?.refusal) {
      throw new CommandError(`the operator refused to start ${name}: ${status.refusal}`)
    }
    if (isHandled && status.cause?.request === id) {
      if (!isJson) for (const line of changedSteps(shown, status)) terminal.printProgress(line)
      shown = status
      if (status.finishedAt !== undefined) return status
    }
    if (passedMs > timeoutMs) {
      throw new CommandError(`${name} of ${object.title} has not ended in time`, {
        hint: 'the run continues: see setpoint runbook status',
      })
    }
    await host.sleep(pollMs, signal).catch(() => undefined)
  }
  return shown ?? {}
}

function unnoticed({ title }: RunbookObject, name: string): CommandError {
  return new CommandError(`no operator has noticed the request to start ${name} of ${title}`, {
    hint: 'check that its operator is running, and that the name is in the runbooks of its definition',
  })
}

/** The parameters of `--param`; a value that is not JSON is a text. */
function parametersOf(pairs: readonly string[]): Record<string, unknown> | undefined {
  if (pairs.length === 0) return undefined
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1) {
        throw new CommandError(`--param ${pair} is not KEY=VALUE`, { exitCode: exitCodes.usage })
      }
      return [pair.slice(0, at), valueOf(pair.slice(at + 1))]
    }),
  )
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
