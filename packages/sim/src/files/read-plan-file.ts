import { SetpointError } from 'setpoint'
import { checkPlan, checkSample, checkStep, checkVerdict, problemAt } from './check-plan-file.ts'
import { hasFields } from './has-fields.ts'
import { type PlanFile, planFormat } from './plan-file.ts'

/** Reads a plan file. `name` is its name in errors. */
export function readPlanFile(text: string, name = 'the plan'): PlanFile {
  const value = parsed(text, name)
  const problem = hasFields(value) ? problemOf(value) : 'it is not an object'
  if (problem !== undefined) {
    throw new SetpointError('SIMULATION_PLAN_INVALID', `${name} is not a plan: ${problem}`, {
      hint: 'use a file that setpoint sim has written, with a version of it that knows the format',
    })
  }
  // Every field has been checked.
  return value as PlanFile
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new SetpointError('SIMULATION_PLAN_INVALID', `${name} is not JSON: ${textOf(cause)}`, {
      cause,
      hint: 'write the file again with setpoint sim',
    })
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** What is wrong with the fields of a file; `undefined` if nothing is. */
function problemOf(file: Readonly<Record<string, unknown>>): string | undefined {
  const { format, version } = file
  if (format !== planFormat.format) return `format is ${shown(format)}, not ${planFormat.format}`
  if (version !== planFormat.version) {
    return `its version is ${shown(version)}, and this program reads ${planFormat.version}`
  }
  const { seed, resource, samples, steps, plan, found, declared } = file
  if (!Number.isInteger(seed)) return `seed is ${shown(seed)}, not a number`
  if (!hasFields(resource)) return 'resource is missing'
  const { group, plural } = resource
  if (typeof group !== 'string' || typeof plural !== 'string') {
    return 'resource needs a group and a plural'
  }
  if (!isDeclared(declared)) return 'declared is not an object with lists of names'
  if (!Array.isArray(samples) || samples.length === 0) return 'samples is not a list of objects'
  if (!Array.isArray(steps) || steps.length === 0) return 'steps is not a list of steps'
  return (
    problemAt('samples', samples, checkSample) ??
    problemAt('steps', steps, checkStep) ??
    checkPlan(plan, steps.length) ??
    checkVerdict(found)
  )
}

const declaredNames = new Set(['retained', 'recreated', 'heartbeats', 'inert'])

function isDeclared(value: unknown): boolean {
  if (!hasFields(value)) return false
  return Object.entries(value).every(
    ([name, list]) =>
      declaredNames.has(name) &&
      Array.isArray(list) &&
      list.every((item) => typeof item === 'string'),
  )
}

function shown(value: unknown): string {
  return value === undefined ? 'missing' : JSON.stringify(value)
}
