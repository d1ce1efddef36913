/**
 * sim/: `setpoint sim`, which tries crashes, lost answers and old views on the operators.
 *
 * `run-sim.ts` is the command. `simulate-project.ts` simulates each resource of a project, and
 * shares the time among them; `setpoint dev --sim` uses it in another process
 * (`sim-process.ts`). `write-findings.ts` writes findings as files, which `replay.ts` repeats.
 * `simulated-program.ts` evaluates the author's modules again for each simulated process.
 *
 * It changes nothing but the files of findings, and needs no cluster.
 */
export { runSim } from './run-sim.ts'
export { runSimProcess, type SimMessage } from './sim-process.ts'
