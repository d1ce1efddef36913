import { durationMs, limitMs } from '../../host/index.ts'
import type { AnyResourceDefinition } from '../../definition/index.ts'
import { SetpointError } from '../../errors/index.ts'
import type { Kind } from '../../kinds/kind.ts'
import { resolveSchemaPath } from '../../schema/index.ts'
import { backoffMs } from '../handler-backoff.ts'
import type { HandlerDeclaration, IndexDeclaration } from './handler-declaration.ts'
import type { DaemonOptions, FieldPath, HandlerOptions, TimerSchedule } from './handler-options.ts'
import { fieldNames } from '../match.ts'
import { scheduleOf } from '../schedule/schedule.ts'

/** The part of an operator that the checks of a handler need. */
interface Declaring {
  readonly kind: Kind
  readonly definition: AnyResourceDefinition | undefined
  readonly handlers: readonly HandlerDeclaration[]
}

/** The arguments of a handler method. */
export interface WrittenHandler {
  readonly on: HandlerDeclaration['on']
  readonly run: unknown
  readonly options?: object | undefined
  /** The field that `.onField` is about. */
  readonly field?: FieldPath
  readonly schedule?: TimerSchedule['every'] | TimerSchedule
}

/**
 * Checks a handler and returns its normalized declaration. Throws on invalid options, where the
 * handler is declared.
 */
export function declaredHandler(declaring: Declaring, written: WrittenHandler): HandlerDeclaration {
  const options = (written.options ?? {}) as HandlerOptions & DaemonOptions
  const id = idOf(declaring, written)
  checkOptions(declaring, id, options)
  const { on, field, schedule } = written
  const path = field ?? options.field
  const names = path === undefined ? [] : checkedPath(declaring, id, path)
  // The method has checked the types of the author's function.
  const declared = { id, run: written.run as never, options }
  if (on === 'timer') return { ...declared, on, schedule: scheduleOf(schedule ?? '') }
  if (on === 'daemon' || on === 'event') return { ...declared, on }
  const change = { ...declared, on, path: names, isNarrow: field !== undefined }
  return on === 'delete' ? { ...change, options: { backoff: cleanUpBackoff, ...options } } : change
}

/** A short backoff, because a user or another controller waits for the deletion. */
const cleanUpBackoff = { first: '1s', max: '5m' } as const

/** Refuses an index whose name is taken. */
export function declaredIndex(
  { kind, indexes }: { readonly kind: Kind; readonly indexes: readonly IndexDeclaration[] },
  index: IndexDeclaration,
): IndexDeclaration {
  if (!indexes.some(({ name }) => name === index.name)) return index
  throw invalid(
    `the operator for ${kind.kind} has two indexes called ${JSON.stringify(index.name)}`,
    'give every index of an operator its own name',
  )
}

const genericNames: Readonly<Record<HandlerDeclaration['on'], string>> = {
  create: 'create',
  update: 'update',
  resume: 'resume',
  daemon: 'daemon',
  timer: 'every',
  event: 'event',
  delete: 'delete',
}

/** The given id, or the name of the function, or its handler type with a number. */
function idOf({ kind, handlers }: Declaring, { on, run, options, field }: WrittenHandler): string {
  const taken = new Set(handlers.map(({ id }) => id))
  const { id = (run as () => unknown).name } = (options ?? {}) as HandlerOptions
  if (id === '') {
    const generic = field === undefined ? genericNames[on] : 'field'
    let candidate = generic
    for (let number = 2; taken.has(candidate); number += 1) candidate = `${generic}-${number}`
    return candidate
  }
  if (id === 'conditions') {
    throw invalid(
      'a handler with the id conditions would overwrite status.conditions',
      'give it another id',
    )
  }
  if (!taken.has(id)) return id
  throw invalid(
    `the operator for ${kind.kind} has two handlers called ${JSON.stringify(id)}`,
    'give one of them another id: .onCreate(run, { id: "..." })',
  )
}

function checkOptions(
  { kind }: Declaring,
  id: string,
  {
    retries = 0,
    timeout = 1,
    stopTimeout = 1,
    backoff,
    ...filters
  }: HandlerOptions & DaemonOptions,
): void {
  const problem = !(retries === Infinity || (Number.isInteger(retries) && retries >= 0))
    ? 'retries that are not a whole number'
    : !(limitMs(timeout, 'timeout') > 0 && limitMs(stopTimeout, 'stopTimeout') > 0)
      ? 'a time limit that is not positive'
      : filters.field === undefined && hasFieldFilter(filters)
        ? 'a value filter without a field'
        : undefined
  if (problem !== undefined) {
    throw invalid(`the handler ${id} for ${kind.kind} has ${problem}`, 'correct its options')
  }
  backoffMs(backoff, 1)
  if (typeof backoff === 'object') durationMs(backoff.max ?? 0, 'backoff.max')
}

function hasFieldFilter(options: HandlerOptions): boolean {
  return options.value !== undefined || options.old !== undefined || options.new !== undefined
}

/** The names of a field path, if changes of the field are detected and the resource has it. */
function checkedPath(
  { kind, definition }: Declaring,
  id: string,
  path: FieldPath,
): readonly string[] {
  const names = fieldNames(path)
  const [first, second] = names
  const isCompared =
    first === 'metadata'
      ? second === 'labels' || second === 'annotations'
      : first !== 'status' && first !== 'kind' && first !== 'apiVersion'
  const hint = 'name a field such as spec.size, metadata.labels or metadata.annotations'
  if (names.length === 0 || names.includes('') || !isCompared) {
    throw invalid(
      `the handler ${id} for ${kind.kind} cannot follow the field ${names.join('.')}`,
      hint,
    )
  }
  const steps = names.map((name) => ({ kind: 'field', name }) as const)
  const found = definition && resolveSchemaPath(definition.schema(), steps)
  if (found === undefined || found.schema !== undefined) return names
  const known = found.known.length === 0 ? '' : `; there are ${found.known.join(', ')}`
  const missing = names.slice(0, found.missing + 1).join('.')
  throw invalid(
    `the handler ${id} follows ${missing}, which ${kind.kind} does not have`,
    `${hint}${known}`,
  )
}

function invalid(message: string, hint: string): SetpointError {
  return new SetpointError('OPERATOR_INVALID', message, { hint })
}
