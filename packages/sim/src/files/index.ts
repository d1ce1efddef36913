/**
 * files/: findings as files, which repeat them without the simulation that found them.
 *
 * `planFileOf` makes a plan file of a finding: JSON with the whole workload, the plan and what was
 * found. `testFileOf` makes a test that expects no findings from it, `planOptions` the options of
 * `simulate` that repeat it. Nothing here reads or writes files.
 */
export { fileNameOf, planFileOf, planFileText, type PlanFile } from './plan-file.ts'
export { planOptions } from './plan-options.ts'
export { readPlanFile } from './read-plan-file.ts'
export { testFileOf, type TestFileOptions } from './test-file.ts'
