import type { Answer } from '../../test/conformance/conformance-case.ts'
import { differencesOf, type Difference } from '../../test/conformance/differences.ts'
import type { FuzzStep } from './fuzz-step.ts'

/** The first step of a script whose answers differ. */
export interface FoundDifference {
  /** The index of the step among all steps. */
  readonly index: number
  readonly step: FuzzStep
  readonly differences: readonly Difference[]
  /** The two answers. */
  readonly answers: readonly [real: Answer | undefined, embedded: Answer | undefined]
  /** Differences with the same text have the same cause, most likely. */
  readonly difference: string
}

/** The first difference of the answers of a script, if there is one. */
export function firstDifference(
  steps: readonly FuzzStep[],
  real: readonly Answer[],
  embedded: readonly Answer[],
): FoundDifference | undefined {
  const answered = steps
    .map((step, index) => ({ step, index }))
    .filter(({ step }) => !('method' in step.step) || step.step.isSetup !== true)
  for (const [position, { step, index }] of answered.entries()) {
    const differences = differencesOf(real[position], embedded[position])
    if (differences.length === 0) continue
    const answers = [real[position], embedded[position]] as const
    return { index, step, differences, answers, difference: differenceText(differences) }
  }
  return undefined
}

/** The most important difference, without the values that come from the request. */
function differenceText(differences: readonly Difference[]): string {
  const at = (path: string): Difference | undefined =>
    differences.find((difference) => difference.path === path)
  const code = at('.code')
  const message = at('.body.message')
  if (code !== undefined) {
    return `code ${String(code.real)} / ${String(code.embedded)}: ${shape(message?.real)} / ${shape(message?.embedded)}`
  }
  const [first] = differences
  const { path, real, embedded } = message ?? first ?? { path: '', real: 0, embedded: 0 }
  const steps = path.split('.').filter((step) => !/^\d+$/.test(step))
  return `${steps.slice(-3).join('.')}: ${shape(real)} / ${shape(embedded)}`
}

const shapeLengthMax = 160

function shape(value: unknown): string {
  if (value === undefined) return 'absent'
  return String(JSON.stringify(value))
    .replaceAll('\\"', '"')
    .replace(/"[^"]*"(?=[: ])/g, '"…"')
    .replace(/Invalid value: [^:]+/g, 'Invalid value: …')
    .replace(/\d+/g, 'N')
    .replace(/\b(?:[a-z]\w*|\[N\])(?:\.\w+|\[N\]|\[[^\]]*\])+/g, (path) => lastSteps(path))
    .slice(0, shapeLengthMax)
}

/** Fields of pods and of templates are the same fields. */
function lastSteps(path: string): string {
  return path.split('.').slice(-2).join('.')
}
