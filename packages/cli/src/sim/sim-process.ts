import { tierBudgets } from '@setpoint/sim'
import { durationMs } from 'setpoint/host'
import {
  type CommandContext,
  type CommandInput,
  type ExitCode,
  exitCodes,
} from '../command/index.ts'
import { operatorsFile, operatorsIn } from '../project/index.ts'
import { listenToStarter } from '../system/index.ts'
import { readSamples } from './read-samples.ts'
import { simulateProject } from './simulate-project.ts'
import { simulatedResources } from './simulated-resources.ts'

/** What `setpoint dev --sim` gets from the process that simulates. */
export type SimMessage =
  /** The stories of the findings, and how many runs there were. */
  | { readonly is: 'simulated'; readonly runs: number; readonly stories: readonly string[] }
  /** Nothing was simulated: there is no sample, for example. */
  | { readonly is: 'not-simulated'; readonly why: string }

/**
 * The process in which `setpoint dev --sim` simulates the operators after a save: the loop of
 * development must not wait for it, and it is killed by the next save.
 */
export async function runSimProcess(
  context: CommandContext,
  input: CommandInput,
): Promise<ExitCode> {
  const { host } = context
  const starter = listenToStarter<never, SimMessage>({
    onMessage: () => undefined,
    onGone: () => undefined,
  })
  try {
    const { project, file } = await operatorsFile(context, input.arguments[0])
    const operators = await operatorsIn(file)
    const samples = await readSamples(context, { folder: project.folder, file })
    const { resources } = simulatedResources(operators, samples)
    const budgetMs = durationMs(tierBudgets.watch, 'budget')
    const simulation = { operators, resources, tier: 'watch', budgetMs, seed: 1 } as const
    const reports = await simulateProject(host, simulation)
    starter.send({
      is: 'simulated',
      runs: reports.reduce(
        (sum, { report: { coverage } }) => sum + coverage.steps + coverage.triedPlans,
        0,
      ),
      stories: reports.flatMap(({ report }) => report.findings.map(({ story }) => story)),
    })
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    starter.send({ is: 'not-simulated', why })
  }
  return exitCodes.ok
}
