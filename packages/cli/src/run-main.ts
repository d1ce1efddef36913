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
import { endProcess, hangUp, NodeTerminal, startedFolder } from './system/index.ts'
import { version } from './version.ts'

/** The whole command line: reads the words of this process, does what they say and ends it. */
export async function runMain(
  commands: readonly CommandDeclaration[],
  words: readonly string[],
): Promise<void> {
  const host = nodeHost()
  const stop = new AbortController()
  let isOrderly = false
  // Where nobody reads on, what goes on for ever has to end; what is nearly done is finished.
  const terminal = new NodeTerminal(() => {
    if (isOrderly && !stop.signal.aborted) hangUp()
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    host.onSignal(signal, () => {
      // Who presses Ctrl-C twice does not want to wait.
      if (!isOrderly || stop.signal.aborted) endProcess(exitCodes.interrupted)
      stop.abort()
    })
  }
  const onRun = (command: CommandDeclaration): void => {
    isOrderly = command.isOrderly === true
  }
  endProcess(await exitCodeOf({ host, terminal, signal: stop.signal, commands, words, onRun }))
}

interface World {
  readonly host: Host
  readonly terminal: Terminal
  readonly signal: AbortSignal
  readonly commands: readonly CommandDeclaration[]
  readonly words: readonly string[]
  onRun(command: CommandDeclaration): void
}

async function exitCodeOf(world: World): Promise<ExitCode> {
  try {
    return await runLine(world)
  } catch (error) {
    if (world.signal.aborted && !(error instanceof CommandError)) return exitCodes.interrupted
    return tell(world.terminal, error)
  }
}

async function runLine(world: World): Promise<ExitCode> {
  const { host, terminal, signal, commands, words } = world
  const line = parseCommand(commands, words)
  switch (line.wants) {
    case 'version':
      terminal.print(version)
      return exitCodes.ok
    case 'overview':
      terminal.print(overviewOf(commands, terminal.style))
      return line.isAsked ? exitCodes.ok : exitCodes.usage
    case 'help':
      terminal.print(helpOf(line.command, terminal.style))
      return exitCodes.ok
    case 'run': {
      world.onRun(line.command)
      const run = await line.command.load()
      const context = { host, terminal, folder: startedFolder(), signal }
      return (await run(context, line.input)) ?? exitCodes.ok
    }
  }
}

/** What a person can mend is told in a line or two; what nobody foresaw, with where it happened. */
function tell(terminal: Terminal, error: unknown): ExitCode {
  const { style } = terminal
  const isBug = isSetpointError(error, 'INVARIANT_VIOLATED')
  if (error instanceof CommandError || (isSetpointError(error) && !isBug)) {
    // Errors of the framework have their hint in the message, too.
    terminal.note(`${style.red('error:')} ${error.message.split('\n  hint:')[0] ?? ''}`)
    if (error.hint !== undefined) terminal.note(`${style.dim('hint:')} ${error.hint}`)
    return error instanceof CommandError ? error.exitCode : exitCodes.failed
  }
  terminal.note(error instanceof Error ? (error.stack ?? error.message) : String(error))
  terminal.note('This is a mistake in setpoint or in a module that it loaded.')
  return exitCodes.failed
}
