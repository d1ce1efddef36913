/**
 * testing/: helpers for tests of resource definitions.
 *
 * No production code imports it, so a bundled operator does not contain it. It depends on no test
 * framework: a failed assertion is a thrown error. It loads `setpoint/cel`, so that `parse` checks
 * the CEL rules of definitions.
 */
import '../cel/index.ts'
export { assertRoundTrip, type RoundTripOptions } from './round-trip.ts'
export { sampleValue } from './sample-value.ts'
