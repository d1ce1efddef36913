/**
 * @setpoint/sim: tries crashes, lost answers, stale views and missed changes on operators.
 *
 * `simulate` runs a workload in virtual time, without faults and then with each fault where it can
 * matter, and judges the runs by rules that need no assertions.
 */
export { simulate } from './simulate.ts'
export { tierBudgets, type Progress, type SimulateOptions, type Tier } from './simulate-options.ts'
export type { Bypass, BypassedCall } from './bypass/bypass.ts'
export { fromFile, type FromFileOptions } from './fresh/from-file.ts'
export { dnsZone, type DnsZoneOptions } from './external/dns-zone.ts'
export {
  fileNameOf,
  planFileOf,
  planFileText,
  planOptions,
  readPlanFile,
  testFileOf,
  type PlanFile,
  type TestFileOptions,
} from './files/index.ts'
export { external } from './external/external.ts'
export type { ModelOptions } from './external/model-state.ts'
export { objectStore, type ObjectStoreOptions } from './external/object-store.ts'
export { sqlDatabase, type SqlDatabaseOptions } from './external/sql-database.ts'
export type {
  ExternalAnswer,
  ExternalRequest,
  ExternalSystem,
  ExternalTools,
} from './external/external.ts'
export { always, eventually, never } from './oracles/invariant.ts'
export type { Invariant, StateView } from './oracles/invariant.ts'
export type { Comparison, Fault, Plan } from './plans/plan.ts'
export type { Finding, OracleId, Verdict } from './report/finding.ts'
export type { Coverage, Report } from './report/report.ts'
export { reportText } from './report/report-text.ts'
export { repeatPlan, type Repetition, type RepeatOptions } from './repeat-plan.ts'
export type { TimelineEvent } from './timeline/timeline-event.ts'
export { timelineText } from './timeline/timeline-text.ts'
export type { Samples } from './workload/samples.ts'
export type { Sample, SpecChange, Step } from './workload/step.ts'
export type { FreshProgram, PlainProgram, ProcessContext, Program } from './world/program.ts'
export type { DeclaredData, Workload } from './workload/workload-data.ts'
