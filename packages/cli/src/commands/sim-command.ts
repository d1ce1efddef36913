import type { CommandDeclaration } from '../command/index.ts'
import { jsonOption, operatorsArgument } from './shared-options.ts'

/** Simulates the operators with faults. */
export const simCommand: CommandDeclaration = {
  name: 'sim',
  summary: 'try crashes, lost answers and old views on the operators, in virtual time',
  details: `Runs the operators in a simulated cluster: what users do follows from a sample of each resource. Then each
run is repeated with a fault: a crash around a write, a lost answer, an old view, a conflict. No assertions are needed: a run
with a fault must end as one without. Each finding is written as a plan, which --replay repeats, and as a test for vitest that
fails until the problem is fixed. The exit code is 1 if there are findings. Samples are in samples/, config/samples/ or
sample.yaml. Exceptions are in package.json: "setpoint": { "sim": { "retained", "recreated", "heartbeats" (resources such as
apps/deployments), "inert" (fields of the spec) } }. Models of external systems and invariants need a test with simulate of @setpoint/sim.`,
  arguments: [operatorsArgument],
  options: [
    { name: 'samples', value: 'FILE', summary: 'the samples, instead of those of the project' },
    {
      name: 'resource',
      value: 'KIND',
      summary: 'simulate only this resource; default: all resources with a sample',
    },
    {
      name: 'tier',
      value: 'TIER',
      choices: ['watch', 'ci', 'nightly'],
      summary:
        'watch: the most destructive faults; ci: all single faults, the default; nightly: pairs too',
    },
    {
      name: 'budget',
      value: 'TIME',
      summary: 'how long the runs of all resources may take; default: 2s, 60s or 30m, by tier',
    },
    { name: 'seed', value: 'N', summary: 'the seed of all randomness; default: 1' },
    {
      name: 'out',
      value: 'DIR',
      summary: 'the folder for the files of findings; default: findings',
    },
    {
      name: 'replay',
      value: 'FILE',
      summary: 'repeat the plan of a finding, and print a timeline of what happened',
    },
    jsonOption,
  ],
  examples: [
    { command: 'setpoint sim', what: 'try all single faults on the operators of this project' },
    {
      command: 'setpoint sim --tier nightly --budget 2h --seed 7',
      what: 'try pairs of faults for two hours',
    },
    {
      command: 'setpoint sim --replay findings/shops-o2-crash-after-1-step-0.json',
      what: 'show what happened in a finding',
    },
  ],
  load: async () => (await import('../sim/index.ts')).runSim,
}

/** Internal: the process that `setpoint dev --sim` starts to simulate the operators. */
export const simProcessCommand: CommandDeclaration = {
  name: 'simulate-for-dev',
  summary: 'simulate operators for setpoint dev',
  isHidden: true,
  arguments: [{ name: 'FILE', summary: 'the module of the operators' }],
  options: [],
  examples: [],
  load: async () => (await import('../sim/index.ts')).runSimProcess,
}
