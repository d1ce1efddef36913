import { interceptGlobals } from './bypass/intercept-globals.ts'
import type { Report } from './report/report.ts'
import type { SimulateOptions } from './simulate-options.ts'
import { Simulation } from './simulation.ts'
import { programOf, type ProgramOrOperator } from './world/program.ts'

/**
 * Runs a workload without faults, then again with every single fault where it can matter, and
 * judges the results. It needs no assertions: a run with faults must end as one without.
 */
export async function simulate(
  given: ProgramOrOperator,
  options: SimulateOptions,
): Promise<Report> {
  using _ = interceptGlobals()
  const simulation = await Simulation.record(programOf(given), options)
  const { only } = options
  // The globals are intercepted until the report is there.
  return only === undefined ? await simulation.tryAll() : await simulation.tryOnly(only)
}
