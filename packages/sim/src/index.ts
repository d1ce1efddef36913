/**
 * @setpoint/sim: tries crashes, lost answers, stale views and missed changes on operators.
 *
 * `simulate` runs a workload in virtual time, without faults and then with each fault where it can
 * matter, and judges the runs by rules that need no assertions.
 */
export { simulate, type SimulateOptions } from './simulate.ts'
export type { Fault, Plan } from './plans/plan.ts'
export type { Finding, OracleId, Verdict } from './report/finding.ts'
export type { Coverage, Report } from './report/report.ts'
export { reportText } from './report/report-text.ts'
export type { Sample, Step } from './workload/workload.ts'
export type { ProcessContext, Program } from './world/program.ts'
