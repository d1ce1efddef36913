import { oracleIds } from '../oracles/judge-run.ts'
import type { Comparison, Fault } from '../plans/plan.ts'
import type { Step } from '../workload/step.ts'
import { hasFields } from './has-fields.ts'

/** The first problem of the items of a list. */
export function problemAt(
  name: string,
  items: readonly unknown[],
  check: (item: unknown) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const problem = check(item)
    if (problem !== undefined) return `${name}[${index}] ${problem}`
  }
  return undefined
}

/** What is wrong with a sample. */
export function checkSample(sample: unknown): string | undefined {
  if (!hasFields(sample) || !hasFields(sample['metadata'])) return 'is not an object with metadata'
  return typeof sample['metadata']['name'] === 'string' ? undefined : 'has no name'
}

/** The fields of each step, besides its name. */
const stepFields: Readonly<Record<Step['do'], FieldTypes>> = {
  create: { object: 'object' },
  set: { object: 'string', field: 'string', spec: 'object' },
  delete: { object: 'string' },
  apply: { object: 'object' },
  remove: { object: 'object' },
  wait: { forMs: 'number' },
}

/** What is wrong with a step of users. */
export function checkStep(step: unknown): string | undefined {
  if (!hasFields(step)) return 'is not a step'
  const fields = fieldsFor(stepFields, step['do'])
  if (fields === undefined) return `does ${JSON.stringify(step['do'])}, which is unknown`
  const problem = checkFields(step, { name: 'string', ...fields })
  return problem ?? (hasFields(step['object']) ? checkSample(step['object']) : undefined)
}

/** The fields of each fault that must be there. */
const faultFields: Readonly<Record<Fault['type'], FieldTypes>> = {
  'crash-before': { write: 'number' },
  'crash-after': { write: 'number' },
  'crash-late': { write: 'number' },
  'crash-long': { write: 'number', downMs: 'number' },
  'lose-answer': { write: 'number' },
  conflict: { write: 'number' },
  error: { write: 'number', code: 'number' },
  'next-step': { write: 'number' },
  lag: { write: 'number', forMs: 'number' },
  hold: { resource: 'string', forMs: 'number' },
  relist: { steps: 'number' },
  absent: { steps: 'number' },
  travel: { change: 'number', steps: 'number', forMs: 'number' },
  'slow-controllers': { byMs: 'number' },
  'reversed-lists': {},
  pause: { write: 'number', forMs: 'number' },
  clock: { byMs: 'number' },
  'call-lost': { call: 'number' },
  'call-failed': { call: 'number' },
  'call-limited': { call: 'number' },
  'call-repeated': { call: 'number' },
  'call-late': { call: 'number' },
  'stale-calls': { forMs: 'number' },
}

function checkFault(fault: unknown): string | undefined {
  if (!hasFields(fault)) return 'is not a fault'
  const fields = fieldsFor(faultFields, fault['type'])
  if (fields === undefined) return `has the unknown type ${JSON.stringify(fault['type'])}`
  return checkFields(fault, fields)
}

const comparisons: Readonly<Record<Comparison, true>> = {
  uninterrupted: true,
  created: true,
  second: true,
}

/** What is wrong with a plan for a number of steps. */
export function checkPlan(plan: unknown, steps: number): string | undefined {
  if (!hasFields(plan)) return 'plan is missing'
  const { step, faults, compare } = plan
  const isStep = typeof step === 'number' && Number.isInteger(step) && step >= 0 && step < steps
  if (!isStep) return `plan.step is ${JSON.stringify(step)}, and there are ${steps} steps`
  if (!Array.isArray(faults)) return 'plan.faults is not a list'
  if (compare !== undefined && fieldsFor(comparisons, compare) === undefined) {
    return `plan.compare is ${JSON.stringify(compare)}, which is unknown`
  }
  return problemAt('plan.faults', faults, checkFault)
}

/** What is wrong with what was found. */
export function checkVerdict(found: unknown): string | undefined {
  if (!hasFields(found)) return 'found is missing'
  const { oracle, problem, details } = found
  if (!oracleIds.some((id) => id === oracle)) {
    return `found.oracle is ${JSON.stringify(oracle)}, which is unknown`
  }
  const isText = typeof problem === 'string' && Array.isArray(details)
  return isText ? undefined : 'found needs a problem and details'
}

type FieldTypes = Readonly<Record<string, 'string' | 'number' | 'object'>>

/** An entry of a table, and nothing that every object has. */
function fieldsFor<T>(table: Readonly<Record<string, T>>, name: unknown): T | undefined {
  return typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined
}

function checkFields(
  value: Readonly<Record<string, unknown>>,
  fields: FieldTypes,
): string | undefined {
  const wrong = Object.entries(fields).find(([name, type]) =>
    type === 'object' ? !hasFields(value[name]) : typeof value[name] !== type,
  )
  return wrong === undefined ? undefined : `needs ${wrong[0]}: ${wrong[1]}`
}
