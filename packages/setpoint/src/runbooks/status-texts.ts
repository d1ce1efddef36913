import { GiveUpError } from '../controller/index.ts'

/** The longest text of a status. Messages of failed programs can have megabytes. */
const textLengthMax = 1000

/** The largest result of a step. All steps of all runbooks are in one status. */
const resultLengthMax = 4096

/** A text that is short enough for a status. */
export function shortText(text: string): string {
  return text.length <= textLengthMax ? text : `${text.slice(0, textLengthMax - 3)}...`
}

/** The result of a step as JSON. A retry would not make it smaller. */
export function boundedResult(step: string, result: unknown): unknown {
  if (result === undefined) return undefined
  const json = JSON.stringify(result) as string | undefined
  if (json === undefined) {
    throw new GiveUpError(`step ${step} returned a value that is not JSON: ${typeof result}`)
  }
  if (json.length > resultLengthMax) {
    throw new GiveUpError(
      `step ${step} returned ${json.length} characters of JSON: a result has at most ${resultLengthMax}`,
    )
  }
  return JSON.parse(json) as unknown
}
