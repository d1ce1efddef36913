import type { CommandContext, CommandInput } from '../../command/index.ts'
import { objectTitle } from '../object-title.ts'
import type { PlannedChange } from './plan-changes.ts'

const colours = {
  create: 'green',
  change: 'yellow',
  delete: 'red',
  foreign: 'dim',
  skip: 'yellow',
} as const

/** Why an object is not written. */
const remarks: Readonly<Record<string, string>> = {
  foreign: ' (not created by setpoint: not changed)',
  skip: ' (the cluster has no CRD of this kind: install the Prometheus Operator and deploy again, or use --no-monitoring)',
}

/** The maximum number of printed fields per object; `--json` has all. */
const differencesMax = 15

/** Prints a plan. With `--json` to the standard error, because the result is printed at the end. */
export function showPlan(
  { terminal }: CommandContext,
  input: CommandInput,
  plan: readonly PlannedChange[],
): void {
  const { style } = terminal
  const print = (line: string): void =>
    input.has('json') ? terminal.printProgress(line) : terminal.print(line)
  const word = (action: keyof typeof colours): string => style[colours[action]](action.padEnd(8))
  for (const { object, action, differences } of plan) {
    if (action === 'unchanged') continue
    const title = objectTitle(object.kind, object.manifest.metadata)
    print(`${word(action)} ${title}${remarks[action] ?? ''}`)
    for (const line of differences.slice(0, differencesMax)) print(`           ${line}`)
    const left = differences.length - differencesMax
    if (left > 0) print(`           and ${left} more fields`)
  }
  const same = plan.filter(({ action }) => action === 'unchanged').length
  if (same > 0) print(style.dim(`${same} ${same === 1 ? 'object is' : 'objects are'} unchanged`))
}

/** Whether a plan writes anything. */
export function hasWrites(plan: readonly PlannedChange[]): boolean {
  const idle = ['unchanged', 'foreign', 'skip']
  return plan.some(({ action }) => !idle.includes(action))
}

/** A plan as JSON. */
export function planJson(plan: readonly PlannedChange[]): readonly object[] {
  return plan.map(({ object: { manifest }, action, differences }) => {
    const { apiVersion, kind, metadata } = manifest
    const { namespace, name } = metadata
    return { apiVersion, kind, namespace, name, action, differences }
  })
}
