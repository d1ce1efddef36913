import { isSetpointError } from 'setpoint'
import { type Host, nodeHost } from 'setpoint/host'
import {
  type CommandDeclaration,
  CommandError,
  type ExitCode,
  exitCodes,
  helpOf,
  overviewOf,
  parseCommand,
  type Terminal,
} from './command/index.ts'
import { currentFolder, endProcess, hangUp, NodeTerminal, parentId } from './system/index.ts'
import { version } from './version.ts'

/** Runs the command that `words` name, and ends the process with its exit code. */
export async function runMain(
  commands: readonly CommandDeclaration[],
  words: readonly string[],
): Promise<void> {
  const host = nodeHost()
  const stop = new AbortController()
  let stopsGracefully = false
  // Without a reader of its output, a long-running command stops; a short one runs to its end.
  let hasHungUp = false
  const terminal = new NodeTerminal(() => {
    // Every write fails from now on, and a second signal would end the process immediately.
    if (!stopsGracefully || hasHungUp) return
    hasHungUp = true
    hangUp()
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    host.onSignal(signal, () => {
      // A second Ctrl-C ends the process without waiting for the graceful stop.
      if (!stopsGracefully || stop.signal.aborted) endProcess(exitCodes.interrupted)
      stop.abort()
    })
  }
  const onRun = (command: CommandDeclaration): void => {
    stopsGracefully = command.stopsGracefully === true
    if (stopsGracefully && host.env('npm_command') !== undefined) watchParent(host)
  }
  endProcess(await exitCodeOf({ host, terminal, signal: stop.signal, commands, words, onRun }))
}

/** The interval at which the parent process is checked. */
const parentMs = 500

/**
 * Stops a command that npm or npx started when its parent has ended. npm runs commands in a shell,
 * which a SIGTERM ends without ending the command.
 */
function watchParent(host: Host): void {
  const parent = parentId()
  const check = (): void => {
    if (parentId() === parent) host.setTimer(parentMs, check)
    else hangUp()
  }
  host.setTimer(parentMs, check)
}

interface Invocation {
  readonly host: Host
  readonly terminal: Terminal
  readonly signal: AbortSignal
  readonly commands: readonly CommandDeclaration[]
  readonly words: readonly string[]
  onRun(command: CommandDeclaration): void
}

async function exitCodeOf(invocation: Invocation): Promise<ExitCode> {
  try {
    return await runLine(invocation)
  } catch (error) {
    if (invocation.signal.aborted && !(error instanceof CommandError)) return exitCodes.interrupted
    return printError(invocation.terminal, error)
  }
}

async function runLine(invocation: Invocation): Promise<ExitCode> {
  const { host, terminal, signal, commands, words } = invocation
  const line = parseCommand(commands, words)
  switch (line.wants) {
    case 'version':
      terminal.print(version)
      return exitCodes.ok
    case 'overview':
      terminal.print(overviewOf(commands, terminal))
      return line.isAsked ? exitCodes.ok : exitCodes.usage
    case 'help':
      terminal.print(helpOf(line.command, terminal))
      return exitCodes.ok
    case 'run': {
      invocation.onRun(line.command)
      const run = await line.command.load()
      const context = { host, terminal, folder: currentFolder(), signal }
      return (await run(context, line.input)) ?? exitCodes.ok
    }
  }
}

/** Errors that the user can fix are printed without a stack, unexpected errors with their stack. */
function printError(terminal: Terminal, error: unknown): ExitCode {
  const { style } = terminal
  const isBug = isSetpointError(error, 'INVARIANT_VIOLATED')
  if (error instanceof CommandError || (isSetpointError(error) && !isBug)) {
    // The message of a SetpointError contains its hint, which is printed on its own line here.
    terminal.printProgress(`${style.red('error:')} ${error.message.split('\n  hint:')[0] ?? ''}`)
    if (error.hint !== undefined) terminal.printProgress(`${style.dim('hint:')} ${error.hint}`)
    return error instanceof CommandError ? error.exitCode : exitCodes.failed
  }
  terminal.printProgress(error instanceof Error ? (error.stack ?? error.message) : String(error))
  terminal.printProgress('This is a bug in setpoint or in a module that it loaded.')
  return exitCodes.failed
}
