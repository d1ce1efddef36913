import { type AnyOperator, start } from 'setpoint'
import type { Connection } from 'setpoint/client'
import type { Host } from 'setpoint/host'

/** What a simulated process gets: its only access to the world. */
export interface ProcessContext {
  readonly host: Host
  readonly connection: Connection
  /** Reports an error that the program catches in its loop. */
  readonly onError?: (error: unknown, key?: string) => void
}

/**
 * What is simulated: operators, or any function that runs a control loop with a client. A function
 * is called for every start of the process, and must keep its state inside of the call.
 */
export type Program = readonly AnyOperator[] | ((process: ProcessContext) => Promise<void>)

/** A failure of the program that no fault explains. */
type ReportFailure = (what: string) => void

/** Runs the program until it ends; its bugs are reported. */
export async function runProgram(
  program: Program,
  context: ProcessContext,
  report: ReportFailure,
): Promise<void> {
  try {
    await (typeof program === 'function'
      ? program(context)
      : runOperators(program, context, report))
  } catch (error) {
    if (isBug(error)) report(`the process ended: ${textOf(error)}`)
  }
}

async function runOperators(
  operators: readonly AnyOperator[],
  { host, connection }: ProcessContext,
  report: ReportFailure,
): Promise<void> {
  const running = await start(operators, {
    host,
    connection,
    webhooks: false,
    onRunEnd: ({ error, run }) => {
      if (isBug(error)) report(`the reconcile of ${run.key} failed: ${textOf(error)}`)
    },
  })
  await running.ended
}

const bugs = ['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError', 'AssertionError']

/** Whether an error is one of the program, which no retry repairs. */
function isBug(error: unknown): boolean {
  return error instanceof Error && bugs.includes(error.name) && error.cause === undefined
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
