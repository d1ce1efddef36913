import type { Plan } from '../plans/plan.ts'
import type { Finding, Verdict } from '../report/finding.ts'
import type { Workload } from '../workload/workload-data.ts'

/** What all plan files begin with. */
export const planFormat = { format: 'setpoint-sim-plan', version: 1 } as const

/** A finding as data: everything that repeats it, and what was found. */
export interface PlanFile extends Workload {
  readonly format: typeof planFormat.format
  readonly version: typeof planFormat.version
  readonly plan: Plan
  readonly found: Verdict
}

/** The plan file of a finding. */
export function planFileOf({ workload, plan, oracle, problem, details }: Finding): PlanFile {
  return { ...planFormat, found: { oracle, problem, details }, plan, ...workload }
}

/** A plan file as JSON. */
export function planFileText(file: PlanFile): string {
  return `${JSON.stringify(file, undefined, 2)}\n`
}

/**
 * The name of the files of a finding, without an extension: `shops-o2-crash-after-1`. Two findings
 * of one simulation may have the same name.
 */
export function fileNameOf({ oracle, plan, workload }: Finding): string {
  const causes = plan.faults.map((fault) =>
    'write' in fault ? `${fault.type}-${fault.write}` : fault.type,
  )
  const cause = plan.compare ?? causes.join('-and-')
  const parts = [workload.resource.plural, oracle.toLowerCase(), cause, `step-${plan.step}`]
  return parts.filter((part) => part !== '').join('-')
}
