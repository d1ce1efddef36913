import { isJsonObject, type JsonValue } from 'setpoint/schema'
import type { Request } from '../../test/conformance/conformance-case.ts'
import type { FuzzScript, FuzzStep } from './fuzz-step.ts'

/** Whether a smaller script still shows the difference. */
type StillDiffers = (script: FuzzScript) => Promise<boolean>

const attemptsMax = 60

/** The smallest script that is found by leaving out one part after another. */
export async function shrink(script: FuzzScript, stillDiffers: StillDiffers): Promise<FuzzScript> {
  let best = script
  let attempts = 0
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false
    for (const candidate of smallerScripts(best)) {
      attempts += 1
      if (attempts > attemptsMax) return best
      if (!(await stillDiffers(candidate))) continue
      best = candidate
      isSmaller = true
      break
    }
  }
  return best
}

function* smallerScripts(script: FuzzScript): Generator<FuzzScript> {
  const { steps } = script
  for (const index of steps.keys()) {
    if (index < steps.length - 1) yield { ...script, steps: steps.toSpliced(index, 1) }
  }
  for (const [index, step] of steps.entries()) {
    for (const smaller of smallerSteps(step)) {
      yield { ...script, steps: steps.with(index, smaller) }
    }
  }
}

function* smallerSteps(step: FuzzStep): Generator<FuzzStep> {
  const request = step.step
  if (!('method' in request)) return
  for (const smaller of smallerRequests(request)) yield { ...step, step: smaller }
}

function* smallerRequests(request: Request): Generator<Request> {
  const { path, headers, body } = request
  const [base = '', query] = path.split('?')
  if (query !== undefined) {
    const pairs = query.split('&')
    for (const index of pairs.keys()) {
      const rest = pairs.toSpliced(index, 1).join('&')
      yield { ...request, path: rest === '' ? base : `${base}?${rest}` }
    }
  }
  for (const name of Object.keys(headers ?? {})) {
    const { [name]: _left, ...rest } = headers ?? {}
    yield { ...request, headers: rest }
  }
  if (body === undefined || !isJsonObject(body)) return
  for (const smaller of smallerValues(body)) yield { ...request, body: smaller }
}

function* smallerValues(value: JsonValue): Generator<JsonValue> {
  if (Array.isArray(value)) {
    for (const index of value.keys()) yield value.toSpliced(index, 1)
    for (const [index, item] of value.entries()) {
      for (const smaller of smallerValues(item)) yield value.with(index, smaller)
    }
    return
  }
  if (!isJsonObject(value)) return
  for (const key of Object.keys(value)) {
    const { [key]: _left, ...rest } = value
    yield rest
  }
  for (const [key, item] of Object.entries(value)) {
    for (const smaller of smallerValues(item)) yield { ...value, [key]: smaller }
  }
}
