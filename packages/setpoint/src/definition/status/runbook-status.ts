import type { StructuralSchema } from '../../schema/index.ts'

/** The state of a run. `Pending`: it waits for another run of the object. */
export type RunState = 'Pending' | 'Running' | 'Complete' | 'Failed' | 'Cancelled'

/** The state of a step. `Retrying`: an attempt failed, and another one follows at `retryAt`. */
export type StepState =
  'Pending' | 'Running' | 'Retrying' | 'Complete' | 'Skipped' | 'Failed' | 'Cancelled'

/** One step of the last run of a runbook. */
export interface StepStatus {
  /** The name; a step inside of `parallel` or `serial` has the names of both: `drain/first`. */
  name: string
  state: StepState
  /** How many attempts were begun. */
  attempts?: number
  /** How many of them asked for a later retry, which is not a failure. */
  delays?: number
  /** When the first attempt began. */
  startedAt?: string
  /** When the last attempt began. Timeouts count from here. */
  attemptedAt?: string
  finishedAt?: string
  /** When the next attempt begins. */
  retryAt?: string
  /** What the step waits for, or why it failed. */
  message?: string
  /** What the function of the step returned. */
  result?: unknown
  /** The object that the step created: `Job/example-upgrade-1-backup`. */
  object?: string
}

/** Why a run was started. */
export interface RunCause {
  type: 'Create' | 'Change' | 'Schedule' | 'Request' | 'Failure'
  /** For people: `spec.version changed from "16" to "17"`. */
  message: string
  /** The fields of a change with their values before. */
  before?: Record<string, unknown>
  /** The id of a request. */
  request?: string
  /** The runbook that failed. */
  runbook?: string
}

/** A run that has ended. */
export interface RunSummary {
  run: number
  state: RunState
  cause: RunCause
  message?: string
  startedAt?: string
  finishedAt?: string
}

/** A run that waits for the end of another one. */
export interface WaitingRun {
  cause: RunCause
  parameters?: unknown
  since: string
}

/** The state of a runbook: `status.runbooks.NAME`. */
export interface RunbookStatus {
  /** The state of the last run; there is none before the first run. */
  state?: RunState
  /** The number of the last run, from 1 on. */
  run?: number
  cause?: RunCause
  /** How many steps have ended: `2/5`. */
  progress?: string
  /** What runs now, what the run waits for, or why it failed. */
  message?: string
  /** The generation of the object when the run began. */
  observedGeneration?: number
  startedAt?: string
  finishedAt?: string
  parameters?: unknown
  steps?: StepStatus[]
  /** The runs before, the newest first. */
  history?: RunSummary[]
  /** The next run. It begins when no other run of the object is left. */
  waiting?: WaitingRun
  /** The values of the watched fields for which the last run was started. */
  handled?: Record<string, unknown>
  /** The last time of the schedule for which a run was started. */
  scheduledAt?: string
  /** The last request that was handled: the id in the annotation. */
  request?: string
  /** Why the last request, change or scheduled run was refused, until the next run begins. */
  refusal?: string
}

const text: StructuralSchema = { type: 'string' }
const time: StructuralSchema = { type: 'string', format: 'date-time' }
const count: StructuralSchema = { type: 'integer', format: 'int64', minimum: 0 }
const anything: StructuralSchema = { 'x-kubernetes-preserve-unknown-fields': true }
const values: StructuralSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
const runState: StructuralSchema = {
  type: 'string',
  enum: ['Pending', 'Running', 'Complete', 'Failed', 'Cancelled'],
}
const stepState: StructuralSchema = {
  type: 'string',
  enum: ['Pending', 'Running', 'Retrying', 'Complete', 'Skipped', 'Failed', 'Cancelled'],
}
const cause: StructuralSchema = {
  type: 'object',
  properties: {
    type: { type: 'string', enum: ['Create', 'Change', 'Schedule', 'Request', 'Failure'] },
    message: text,
    before: values,
    request: text,
    runbook: text,
  },
}
const step: StructuralSchema = {
  type: 'object',
  required: ['name', 'state'],
  properties: {
    name: text,
    state: stepState,
    attempts: count,
    delays: count,
    startedAt: time,
    attemptedAt: time,
    finishedAt: time,
    retryAt: time,
    message: text,
    result: anything,
    object: text,
  },
}
const summary: StructuralSchema = {
  type: 'object',
  properties: {
    run: count,
    state: runState,
    cause,
    message: text,
    startedAt: time,
    finishedAt: time,
  },
}

const runbookSchema: StructuralSchema = {
  type: 'object',
  properties: {
    state: runState,
    run: count,
    cause,
    progress: text,
    message: text,
    observedGeneration: count,
    startedAt: time,
    finishedAt: time,
    parameters: anything,
    steps: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: step },
    history: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: summary },
    waiting: { type: 'object', properties: { cause, parameters: anything, since: time } },
    handled: values,
    scheduledAt: time,
    request: text,
    refusal: text,
  },
}

/** `status.runbooks` of a resource that declares these runbooks. */
export function runbooksSchema(names: readonly string[]): StructuralSchema {
  return {
    type: 'object',
    description: 'The last run of each runbook, and its history.',
    properties: Object.fromEntries(names.map((name) => [name, runbookSchema])),
  }
}

/** The longest name of a runbook. Names of objects and annotations contain it. */
const nameLengthMax = 30

/** Whether a text is a name of a runbook: lower case letters, digits and `-`. */
export function isRunbookName(name: string): boolean {
  return name.length <= nameLengthMax && /^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(name)
}
