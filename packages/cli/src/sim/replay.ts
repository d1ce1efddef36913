import { isAbsolute, join } from 'node:path'
import { type Repetition, readPlanFile, repeatPlan, timelineText } from '@setpoint/sim'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  type ExitCode,
  exitCodes,
} from '../command/index.ts'
import { loadOperators } from '../project/index.ts'
import { simulatedProgram } from './simulated-program.ts'

/** `setpoint sim --replay`: repeats one plan, and prints its timeline and what is found. */
export async function replay(
  context: CommandContext,
  input: CommandInput,
  named: string,
): Promise<ExitCode> {
  const { host, terminal, folder } = context
  const path = isAbsolute(named) ? named : join(folder, named)
  if ((await host.fileInfo(path))?.isDirectory !== false) {
    throw new CommandError(`--replay: there is no file ${named}`, {
      hint: 'give a file that setpoint sim has written: findings/NAME.json',
    })
  }
  const file = readPlanFile(new TextDecoder().decode(await host.readFile(path)), named)
  const { operators, file: module } = await loadOperators(context, input.arguments[0])
  const { program } = await simulatedProgram(module, operators)
  const repetition = await repeatPlan(program, file)
  const { report, finding, timeline } = repetition
  if (input.has('json')) {
    const found = report.findings.map(({ oracle, problem, details }) => ({
      oracle,
      problem,
      details,
    }))
    terminal.print(
      JSON.stringify({ isFound: finding !== undefined, findings: found, timeline }, undefined, 2),
    )
  } else {
    terminal.print(timelineText(timeline))
    terminal.print('')
    for (const line of verdictLines(repetition)) terminal.print(line)
  }
  return report.findings.length > 0 ? exitCodes.failed : exitCodes.ok
}

function verdictLines({ report, finding }: Repetition): string[] {
  const others = report.findings.filter((one) => one !== finding)
  if (finding === undefined && others.length === 0) return ['no longer found']
  return [
    finding === undefined ? 'no longer found, but the plan finds:' : 'still found:',
    ...(finding === undefined ? others : [finding, ...others]).flatMap(
      ({ oracle, problem, details }) => [
        `${oracle}: ${problem}`,
        ...details.map((detail) => `  ${detail}`),
      ],
    ),
  ]
}
