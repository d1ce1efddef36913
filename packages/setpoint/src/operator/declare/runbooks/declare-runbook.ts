import * as core from 'zod/v4/core'
import { SetpointError } from '../../../errors/index.ts'
import { cronSchedule } from '../../../handlers/index.ts'
import {
  leavesOf,
  type RunbookDeclaration,
  type RunTrigger,
  type StepNode,
} from '../../../runbooks/index.ts'
import type { OperatorDeclaration } from '../operator-declaration.ts'
import type { RunbookOptions, RunbookTrigger } from './runbook-options.ts'
import type { Step } from './step.ts'

const historyDefault = 5
const historyMax = 20
/** All steps are in one status. */
const stepsMax = 50

/** Adds a runbook to a declaration; refuses one that could never run. */
export function withRunbook(
  declaration: OperatorDeclaration,
  name: string,
  { options, steps }: { readonly options: RunbookOptions; readonly steps: readonly Step[] },
): Pick<OperatorDeclaration, 'runbooks' | 'owns'> {
  const { whileRunning = 'queue', onFailure, history = historyDefault } = options
  const runbook: RunbookDeclaration = {
    name,
    triggers: triggersOf(options.on),
    steps: steps.map(({ node }) => node),
    whileRunning,
    onFailure,
    historyMax: history,
    parse: parserOf(options.parameters),
  }
  const problem = problemOf(declaration, runbook)
  if (problem !== undefined) {
    const { kind } = declaration
    throw new SetpointError(
      'OPERATOR_INVALID',
      `the runbook ${JSON.stringify(name)} of ${kind.kind} ${problem.what}`,
      { hint: problem.hint },
    )
  }
  const kinds = leavesOf(runbook.steps).flatMap(({ leaf }) =>
    leaf.is === 'object' ? [leaf.kind] : [],
  )
  return {
    runbooks: [...declaration.runbooks, runbook],
    owns: [...declaration.owns, ...kinds],
  }
}

function triggersOf(on: RunbookOptions['on'] = []): RunTrigger[] {
  const triggers = (Array.isArray(on) ? on : [on]) as readonly RunbookTrigger<string>[]
  return triggers.map((trigger): RunTrigger => {
    if (trigger === 'create') return { on: 'create' }
    if ('changed' in trigger) return { on: 'change', paths: [trigger.changed].flat() }
    const schedule = cronSchedule(trigger.schedule, trigger.timeZone)
    return { on: 'schedule', nextMs: (afterMs) => schedule.next(afterMs) }
  })
}

function parserOf(schema: core.$ZodType | undefined): RunbookDeclaration['parse'] {
  if (schema === undefined) {
    return (parameters) => {
      if (parameters === undefined) return undefined
      throw new Error('the runbook has no parameters')
    }
  }
  return (parameters) => {
    const result = core.safeParse(schema, parameters ?? {})
    if (result.success) return result.data
    const issues = result.error.issues.map(
      ({ path, message }) => `${['parameters', ...path].join('.')}: ${message}`,
    )
    throw new Error(issues.join('; '))
  }
}

function problemOf(
  { definition, runbooks }: OperatorDeclaration,
  runbook: RunbookDeclaration,
): { readonly what: string; readonly hint: string } | undefined {
  const { name, steps, triggers, onFailure, historyMax: history } = runbook
  const declared = definition?.runbooks ?? []
  if (!declared.includes(name)) {
    const what = 'is not declared by its definition, so its state cannot be stored'
    return { what, hint: `write runbooks: ['${name}'] in defineResource` }
  }
  if (runbooks.some((one) => one.name === name)) {
    return { what: 'is declared twice', hint: 'call .runbook once for each name' }
  }
  const names = repeatedName(steps)
  if (names !== undefined) {
    const what = `has two steps named ${JSON.stringify(names)}, or one whose name is not made of lower case letters, digits and hyphens`
    return { what, hint: 'give every step of a group a short name of its own' }
  }
  const count = leavesOf(steps).length
  if (count === 0 || count > stepsMax) {
    return { what: `has ${count} steps`, hint: `declare 1 to ${stepsMax} steps` }
  }
  if (!Number.isInteger(history) || history < 0 || history > historyMax) {
    return { what: `keeps ${history} runs`, hint: `set history to 0 to ${historyMax}` }
  }
  if (onFailure !== undefined && (onFailure === name || !declared.includes(onFailure))) {
    const what = `names ${JSON.stringify(onFailure)} in onFailure`
    return { what, hint: 'name another runbook of the definition' }
  }
  const isAutomatic = triggers.length > 0
  return isAutomatic ? defaultsProblem(runbook) : undefined
}

/** A run that no person requested has no parameters but defaults. */
function defaultsProblem({ parse }: RunbookDeclaration) {
  try {
    parse(undefined)
    return undefined
  } catch (error) {
    const what = `cannot start by itself: ${error instanceof Error ? error.message : String(error)}`
    return { what, hint: 'give every parameter a default, or leave `on` out' }
  }
}

/** A name that two steps of a group have, or that is not valid. */
function repeatedName(steps: readonly StepNode[]): string | undefined {
  const names = steps.map(({ name }) => name)
  const wrong = names.find(
    (name, index) => !/^[a-z]([-a-z0-9]{0,28}[a-z0-9])?$/.test(name) || names.indexOf(name) < index,
  )
  if (wrong !== undefined) return wrong
  return steps
    .map((node) => ('steps' in node ? repeatedName(node.steps) : undefined))
    .find((name) => name !== undefined)
}
