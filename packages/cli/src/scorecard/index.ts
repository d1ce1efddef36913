/**
 * scorecard/: `setpoint scorecard` runs the basic and OLM tests of the Operator Framework's
 * scorecard on the embedded cluster.
 *
 * `observe-examples.ts` runs the operators and creates the examples of their bundle.
 * `scorecard-tests.ts` judges the bundle and what was observed, as pure functions. `test-list.ts`
 * has the output of the original as JSON.
 */
export { runScorecard } from './run-scorecard.ts'
