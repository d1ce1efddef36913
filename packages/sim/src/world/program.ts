import { type AnyOperator, start } from 'setpoint'
import type { Connection } from 'setpoint/client'
import type { Host } from 'setpoint/host'

/** What a simulated process gets: its only access to the world. */
export interface ProcessContext {
  readonly host: Host
  readonly connection: Connection
  /** Reports an error that the program's own loop catches and retries. */
  readonly onError: (error: unknown, key?: string) => void
}

/**
 * Operators, or any function that runs a control loop with a client. A function is called for every
 * start of the process, and must keep its state inside of the call.
 */
export type PlainProgram = readonly AnyOperator[] | ((process: ProcessContext) => Promise<void>)

/** A program in a file, whose modules are evaluated for every start of the process: `fromFile`. */
export interface FreshProgram {
  /** What the program declares. It is never started. */
  readonly declared: PlainProgram
  readonly start: () => PlainProgram
}

/** What is simulated. */
export type Program = PlainProgram | FreshProgram

/** A program, or a single operator. */
export type ProgramOrOperator = Program | AnyOperator

export function programOf(given: ProgramOrOperator): Program {
  return 'declaration' in given ? [given] : given
}

/** What a program declares, without starting it. */
export function declaredIn(program: Program): PlainProgram {
  return 'declared' in program ? program.declared : program
}

/** An error of the program, with whether it is a programming error. */
export interface ProgramError {
  readonly text: string
  readonly isBug: boolean
}

/** How a process runs a program. */
interface RunOptions {
  /** Whether several replicas of the program run: operators then elect a leader. */
  readonly isReplicated: boolean
  readonly report: (error: ProgramError) => void
}

/** Runs the program until it ends; its errors are reported. */
export async function runProgram(
  program: Program,
  context: Omit<ProcessContext, 'onError'>,
  options: RunOptions,
): Promise<void> {
  const onError = (error: unknown, key = ''): void =>
    options.report(programError(error, key === '' ? 'a reconcile' : `the reconcile of ${key}`))
  try {
    const started = 'declared' in program ? program.start() : program
    await (typeof started === 'function'
      ? started({ ...context, onError })
      : runOperators(started, { ...context, onError }, options))
    options.report({ text: 'the process ended', isBug: false })
  } catch (error) {
    options.report(programError(error, 'the process'))
  }
}

async function runOperators(
  operators: readonly AnyOperator[],
  { host, connection, onError }: ProcessContext,
  { isReplicated }: RunOptions,
): Promise<void> {
  const running = await start(operators, {
    host,
    connection,
    webhooks: false,
    ...(isReplicated ? { election: { name: 'simulated-program' } } : {}),
    onRunEnd: ({ error, run }) => {
      if (error !== undefined) onError(error, run.key)
    },
  })
  await running.ended
}

const bugs = ['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError', 'AssertionError']

/** A programming error is one that no retry repairs. */
export function programError(error: unknown, place: string): ProgramError {
  const isBug = error instanceof Error && bugs.includes(error.name) && error.cause === undefined
  return { text: `${place} failed: ${textOf(error)}`, isBug }
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
