import { shownDifference } from '../../test/conformance/differences.ts'
import type { FoundDifference } from './difference-class.ts'
import type { FuzzScript } from './fuzz-step.ts'

/** All scripts whose answers differ in the same way. */
export interface DifferenceClass {
  readonly difference: string
  /** How often each verb, resource and mutation showed it. */
  readonly places: Map<string, number>
  readonly numbers: number[]
  readonly example: Example
  /** The first scripts that showed it: the example is the first one that shows it again. */
  readonly candidates: Example[]
}

/** A script with its difference. */
interface Example {
  readonly script: FuzzScript
  readonly found: FoundDifference
}

/** A class that no candidate showed again. */
export interface UnstableClass extends DifferenceClass {
  /** What repetitions of the script on the real server alone showed. */
  readonly cause: 'the real server answers in several ways' | 'the answers were equal later'
}

/** An unstable class as text. */
export function unstableText(each: UnstableClass, seed: string): string {
  return `-- not again (${each.cause}):\n${classText(each, seed)}`
}

const placesMax = 6
const shownMax = 4

/** A class as text: how often, where, and the example as requests that can be repeated. */
export function classText(
  { difference, places, numbers, example }: DifferenceClass,
  seed: string,
): string {
  const sorted = [...places].sort(([, a], [, b]) => b - a)
  const shown = sorted.slice(0, placesMax).map(([place, count]) => `  ${count} x ${place}`)
  const left = sorted.length - shown.length
  const differences = example.found.differences.slice(0, shownMax).map(shownDifference)
  const requests = example.script.steps.map(({ step }) => `    ${requestText(step)}`)
  return [
    `== ${numbers.length} x ${difference}`,
    ...shown,
    ...(left > 0 ? [`  and ${left} more`] : []),
    `  --seed ${seed} --script ${numbers[0] ?? 0}`,
    ...requests,
    ...differences.map((line) => `  ${line}`),
  ].join('\n')
}

function requestText(step: object): string {
  const {
    showHeaders: _headers,
    capture: _capture,
    isCaptureOptional: _optional,
    ...rest
  } = {
    showHeaders: undefined,
    capture: undefined,
    isCaptureOptional: undefined,
    ...step,
  }
  return JSON.stringify(rest)
}
