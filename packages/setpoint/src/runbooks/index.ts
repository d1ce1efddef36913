/**
 * runbooks/: the rules of `.runbook`, as pure functions over the status of an object.
 *
 * `operator/runbooks/` calls them in every reconcile and does what they decide. They use no time,
 * network or memory of their own: the status of the object has the whole state of a run, so that
 * another process can continue it.
 *
 * Reading order: `step-node.ts` (what an author declares), `causes.ts` (what starts a run),
 * `admit-run.ts` (what happens if another one is running), `flow.ts` (which steps are active),
 * `advance-step.ts` (one step), `advance-run.ts` (one run), `plan-runbooks.ts` (one object).
 */
export type { Observation } from './advance-step.ts'
export { leavesOf, type NamedLeaf } from './flow.ts'
export { planRunbooks, type PlannedRunbooks, type RunbookStatuses } from './plan-runbooks.ts'
export { cancelAnnotation, startAnnotation, type RunRequest } from './run-request.ts'
export { boundedResult } from './status-texts.ts'
export type {
  RunbookDeclaration,
  RunTrigger,
  StepLeaf,
  StepNode,
  WhileRunning,
} from './step-node.ts'
