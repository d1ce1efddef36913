/**
 * testing/: helpers for the tests of people who define resources.
 *
 * Nothing here is needed in production and nothing imports it, so a bundled operator does not carry
 * it. It depends on no test framework: a failed assertion is a thrown error.
 */
export { assertRoundTrip, type RoundTripOptions } from './round-trip.ts'
export { sampleValue } from './sample-value.ts'
