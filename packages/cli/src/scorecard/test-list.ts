import type { ScorecardResult } from './scorecard-tests.ts'

/** The results in the format of `operator-sdk scorecard --output json`. */
export function testList(results: readonly ScorecardResult[]): object {
  const apiVersion = 'scorecard.operatorframework.io/v1alpha3'
  return {
    apiVersion,
    kind: 'TestList',
    items: results.map(({ name, suite, state, errors, suggestions, log }) => ({
      apiVersion,
      kind: 'Test',
      spec: {
        entrypoint: ['setpoint', 'scorecard'],
        labels: { suite, test: `${name}-test` },
      },
      status: { results: [{ name, state, errors, suggestions, log }] },
    })),
  }
}
