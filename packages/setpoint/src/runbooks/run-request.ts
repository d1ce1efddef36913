import { SetpointError } from '../errors/index.ts'
import { hasFields } from '../schema/json-value.ts'

/** The prefix of the annotations by which people start and cancel runs. */
const prefix = 'runbooks.setpoint.dev/'

/** The annotation that starts a runbook, each time that its value changes. */
export function requestAnnotation(runbook: string): string {
  return `${prefix}${runbook}`
}

/** The annotation that cancels a run. No runbook has this name, because it contains a dot. */
const cancelName = `${prefix}cancel.run`

/** A request to start a runbook. */
export interface RunRequest {
  /** Another id is another request. */
  readonly id: string
  readonly parameters?: unknown
}

/**
 * Reads the value of an annotation: any text, such as a time, or JSON with an `id` and
 * `parameters`. Throws for JSON of another form.
 */
export function readRequest(value: string): RunRequest {
  if (!value.startsWith('{')) return { id: value }
  const request = parsed(value)
  if (!hasFields(request)) throw invalid(value)
  const { id, parameters, ...rest } = request
  if (typeof id !== 'string' || id === '' || Object.keys(rest).length > 0) throw invalid(value)
  return parameters === undefined ? { id } : { id, parameters }
}

/**
 * The annotation that starts a runbook of an object, for programs: patch it into the metadata of the
 * object. A request with the same id as the last one starts nothing.
 */
export function startAnnotation(runbook: string, request: RunRequest): Record<string, string> {
  const { id, parameters } = request
  const value = JSON.stringify(parameters === undefined ? { id } : { id, parameters })
  return { [requestAnnotation(runbook)]: value }
}

/** The annotation that cancels a run of a runbook, for programs: patch it into the metadata. */
export function cancelAnnotation(runbook: string, run: number): Record<string, string> {
  return { [cancelName]: `${runbook}/${run}` }
}

/** The run that the annotation cancels: `upgrade/3` is the third run of the runbook `upgrade`. */
export function cancellationOf(
  annotations: Readonly<Record<string, string>> = {},
): { readonly runbook: string; readonly run: number } | undefined {
  const [, runbook, run] = /^([-a-z0-9]+)\/(\d+)$/.exec(annotations[cancelName] ?? '') ?? []
  return runbook === undefined ? undefined : { runbook, run: Number(run) }
}

function parsed(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

function invalid(value: string): SetpointError {
  return new SetpointError(
    'RUNBOOK_REQUEST_INVALID',
    `${JSON.stringify(value.slice(0, 100))} is not a request to start a runbook`,
    { hint: 'write any text, or JSON such as {"id":"1","parameters":{"target":"a"}}' },
  )
}
