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
import { simulatedProgram } from './simulated-program.ts'
import { simulatedResources } from './simulated-resources.ts'

/** What `setpoint dev --sim` gets from the process that simulates. */
export type SimMessage =
  /** The stories of the findings, and what was tried: a short workload with some faults. */
  | {
      readonly is: 'simulated'
      readonly steps: number
      readonly faults: number
      /** How many faults the short workload has. */
      readonly allFaults: number
      readonly stories: readonly string[]
    }
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
  let onGone: () => void = () => undefined
  const gone = new Promise<void>((resolve) => {
    onGone = resolve
  })
  const starter = listenToStarter<never, SimMessage>({ onMessage: () => undefined, onGone })
  try {
    const { project, file } = await operatorsFile(context, input.arguments[0])
    const operators = await operatorsIn(file)
    const samples = await readSamples(context, { folder: project.folder, file })
    const { resources } = simulatedResources(operators, samples)
    const budgetMs = durationMs(tierBudgets.watch, 'budget')
    const settings = project.settings.sim
    const { program } = await simulatedProgram(file, operators)
    const simulation = { program, resources, settings, tier: 'watch', budgetMs, seed: 1 } as const
    const reports = await simulateProject(host, simulation)
    const coverages = reports.map(({ report }) => report.coverage)
    starter.send({
      is: 'simulated',
      steps: sumOf(coverages.map(({ steps }) => steps)),
      faults: sumOf(coverages.map(({ triedPlans }) => triedPlans)),
      allFaults: sumOf(coverages.map(({ plans }) => plans)),
      stories: reports.flatMap(({ report }) => report.findings.map(({ story }) => story)),
    })
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    starter.send({ is: 'not-simulated', why })
  }
  // The starter kills the process when it has the message, which an exit could lose.
  await gone
  return exitCodes.ok
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}
