import type { RunbookStatus, RunCause } from '../definition/index.ts'
import { headline } from '../errors/index.ts'
import { secondsTime } from '../events/index.ts'
import { essenceHash, valueAt } from '../handlers/essence.ts'
import { jsonEquals } from '../schema/json-value.ts'
import { readRequest, requestAnnotation } from './run-request.ts'
import { shortText } from './status-texts.ts'
import type { RunbookDeclaration, RunTrigger } from './step-node.ts'

/** What starts a run, and the state that remembers that it was found. */
export interface FoundCause {
  /** With the values and the request that were handled. */
  readonly status: RunbookStatus
  /** The reason for a run; `undefined` if none is due. */
  readonly start?: { readonly cause: RunCause; readonly parameters?: unknown } | undefined
  /** When the next run of the schedule is due; `Infinity` without a schedule. */
  readonly waitMs: number
}

/** The object of a runbook. */
interface RunbookObject {
  readonly metadata: {
    readonly creationTimestamp: string
    readonly annotations?: Readonly<Record<string, string>> | undefined
  }
}

/** The longest value of a field that is kept. Of longer ones, only a hash is. */
const valueLengthMax = 200

/** More missed times of a schedule than this count as one. */
const missedMax = 1000

/**
 * Finds the reason for a run, the strongest first: a request, the creation, a change, the schedule.
 * A reason is found once, because the returned state contains it.
 */
export function causeOf(
  runbook: RunbookDeclaration,
  object: RunbookObject,
  { status, nowMs }: { readonly status: RunbookStatus | undefined; readonly nowMs: number },
): FoundCause {
  const changed = changeOf(runbook, object, status)
  const scheduled = scheduleOf(runbook, object, { status, nowMs })
  const requested = requestOf(runbook, object, status)
  const state: RunbookStatus = {
    ...status,
    ...changed.state,
    ...scheduled.state,
    ...requested.state,
  }
  const isNew = status === undefined && runbook.triggers.some(({ on }) => on === 'create')
  const created: RunCause | undefined = isNew
    ? { type: 'Create', message: 'the object is new' }
    : undefined
  const cause = created ?? changed.cause ?? scheduled.cause
  const start = requested.start ?? (cause === undefined ? undefined : withDefaults(runbook, cause))
  if (start !== undefined && 'refusal' in start) {
    return { status: { ...state, refusal: start.refusal }, waitMs: scheduled.waitMs }
  }
  return { status: state, start, waitMs: scheduled.waitMs }
}

interface Found {
  readonly state: Partial<RunbookStatus>
  readonly cause?: RunCause | undefined
}

type Start = NonNullable<FoundCause['start']> | { readonly refusal: string }

/** A run that no person requested has the defaults of its parameters. */
function withDefaults(runbook: RunbookDeclaration, cause: RunCause): Start {
  return withParameters(runbook, { cause, given: undefined })
}

function withParameters(
  { parse }: RunbookDeclaration,
  { cause, given }: { readonly cause: RunCause; readonly given: unknown },
): Start {
  try {
    const parameters = parse(given)
    return parameters === undefined ? { cause } : { cause, parameters }
  } catch (error) {
    return { refusal: shortText(`${cause.message}: ${headline(error)}`) }
  }
}

function requestOf(
  runbook: RunbookDeclaration,
  { metadata: { annotations = {} } }: RunbookObject,
  status: RunbookStatus | undefined,
): { readonly state: Partial<RunbookStatus>; readonly start?: Start } {
  const value = annotations[requestAnnotation(runbook.name)]
  if (value === undefined || value === '') return { state: {} }
  let request
  try {
    request = readRequest(value)
  } catch (error) {
    const id = essenceHash(value)
    const refusal = shortText(headline(error))
    return id === status?.request ? { state: {} } : { state: { request: id }, start: { refusal } }
  }
  const { id, parameters } = request
  if (id === status?.request) return { state: {} }
  const cause: RunCause = { type: 'Request', message: `request ${shortText(id)}`, request: id }
  return { state: { request: id }, start: withParameters(runbook, { cause, given: parameters }) }
}

function changeOf(
  { triggers }: RunbookDeclaration,
  object: RunbookObject,
  status: RunbookStatus | undefined,
): Found {
  const paths = triggers.flatMap((trigger) => (trigger.on === 'change' ? trigger.paths : []))
  if (paths.length === 0) return { state: {} }
  const values = paths.map((path) => [path, keptValue(valueAt(object, path.split('.')))] as const)
  const handled = Object.fromEntries(values.filter(([, value]) => value !== undefined))
  const known = status?.handled
  if (known === undefined) return { state: { handled } }
  const changed = values.filter(([path, value]) => !jsonEquals(known[path], value))
  if (changed.length === 0) return { state: {} }
  const messages = changed.map(
    ([path, value]) => `${path} changed from ${shown(known[path])} to ${shown(value)}`,
  )
  const before = Object.fromEntries(
    changed.filter(([path]) => known[path] !== undefined).map(([path]) => [path, known[path]]),
  )
  return {
    state: { handled },
    cause: { type: 'Change', message: shortText(messages.join(', ')), before },
  }
}

function keptValue(value: unknown): unknown {
  const json = JSON.stringify(value) as string | undefined
  return json === undefined || json.length <= valueLengthMax ? value : `hash:${essenceHash(value)}`
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}

function scheduleOf(
  { triggers }: RunbookDeclaration,
  { metadata }: RunbookObject,
  { status, nowMs }: { readonly status: RunbookStatus | undefined; readonly nowMs: number },
): Found & { readonly waitMs: number } {
  const schedules = triggers.filter(
    (trigger): trigger is RunTrigger & { on: 'schedule' } => trigger.on === 'schedule',
  )
  const sinceMs = Date.parse(status?.scheduledAt ?? metadata.creationTimestamp)
  const due = schedules.flatMap(({ nextMs }) => lastDueMs(nextMs, sinceMs, nowMs) ?? [])
  const nextMs = Math.min(...schedules.flatMap((one) => one.nextMs(Math.max(sinceMs, nowMs)) ?? []))
  const waitMs = nextMs - nowMs
  if (due.length === 0) return { state: {}, waitMs }
  const scheduledAt = secondsTime(Math.max(...due))
  const cause: RunCause = { type: 'Schedule', message: `due at ${scheduledAt}` }
  return { state: { scheduledAt }, cause, waitMs }
}

/** The last time of a schedule that has passed: times that were missed count as one. */
function lastDueMs(
  nextMs: (afterMs: number) => number | undefined,
  sinceMs: number,
  nowMs: number,
): number | undefined {
  let lastMs: number | undefined
  let next = nextMs(sinceMs)
  for (let missed = 0; next !== undefined && next <= nowMs; missed += 1) {
    if (missed === missedMax) return nowMs
    lastMs = next
    next = nextMs(next)
  }
  return lastMs
}
