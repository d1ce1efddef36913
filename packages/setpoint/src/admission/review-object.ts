import { headline, isSetpointError, SetpointError, thrownAt } from '../errors/index.ts'
import { type Clock, onAbort, type Timers } from '../host/index.ts'
import type { Logger } from '../log/index.ts'
import { hasFields } from '../schema/json-value.ts'
import type { JsonObject } from '../schema/index.ts'
import type { AdmissionCaller, AdmissionContext } from './admission-context.ts'
import type { AdmissionDeclaration } from './admission-declaration.ts'
import type { AdmissionRequest, AdmissionResponse } from './admission-review.ts'
import { jsonPatch } from './json-patch.ts'
import { isProblem } from './field-problem.ts'
import { protectedField } from './protected-fields.ts'
import { failureOf, refusalOf } from './refusal.ts'

/** The circumstances of a review. */
interface ReviewOptions {
  readonly host: Clock & Timers
  /** Called only when something is logged. */
  readonly log: () => Logger
  readonly caller: AdmissionCaller
  /** How long the function may take. */
  readonly timeoutMs: number
  /** Aborted when the API server no longer waits. */
  readonly signal: AbortSignal
}

/** A function failed, and its failure policy is `Ignore`: the API server must see a failed call. */
export class ReviewFailed extends Error {}

/**
 * Calls the author's function for a request and returns the response. A function that throws, does
 * not return in time or returns something else is logged, and treated by its failure policy.
 */
export async function reviewObject(
  declaration: AdmissionDeclaration,
  request: AdmissionRequest,
  options: ReviewOptions,
): Promise<AdmissionResponse> {
  const { uid } = request
  const notes = new Notes()
  try {
    const decision = await withDeadline(options, async (signal) =>
      decide(declaration, request, notes.context(request, { ...options, signal })),
    )
    return { uid, ...decision, ...notes.fields() }
  } catch (error) {
    const { type, id, kind } = declaration
    const why = headline(error)
    // Our own errors say what the function did not do: no line of it threw them.
    const at = isSetpointError(error) ? declaration.declaredAt : thrownAt(error)
    options.log().error({ err: error, at }, `the function ${id} of .${type} failed`)
    const message = `the function ${id} of .${type} for ${kind.kind} failed: ${why}`
    if (declaration.options.failurePolicy === 'Ignore') throw new ReviewFailed(message)
    return { uid, allowed: false, status: failureOf(message), ...notes.fields() }
  }
}

type Decision = Pick<AdmissionResponse, 'allowed' | 'status' | 'patch' | 'patchType'>

async function decide(
  declaration: AdmissionDeclaration,
  request: AdmissionRequest,
  context: AdmissionContext,
): Promise<Decision> {
  const object = request.object ?? request.oldObject ?? {}
  if (declaration.type === 'validate') {
    const result: unknown = await declaration.run(object as never, context)
    const problems = problemsOf(result)
    return problems.length === 0
      ? { allowed: true }
      : { allowed: false, status: refusalOf(request, problems) }
  }
  const draft = structuredClone(object)
  const result: unknown = await declaration.run(draft as never, context)
  return mutation(declaration, object, result ?? draft)
}

function problemsOf(result: unknown): Parameters<typeof refusalOf>[1] {
  if (result === undefined) return []
  const items: readonly unknown[] | undefined = Array.isArray(result) ? result : undefined
  if (items?.every((item) => typeof item === 'string' || isProblem(item)) === true) {
    return items
  }
  throw wrongResult(result, 'return a list of problem(path, message) and texts, or nothing')
}

function mutation(
  declaration: AdmissionDeclaration,
  before: JsonObject,
  result: unknown,
): Decision {
  if (!hasFields(result))
    throw wrongResult(result, 'return the changed object, or change the draft')
  // A copy as it would be sent: dates become texts, and fields that are undefined disappear.
  const after = JSON.parse(JSON.stringify(result)) as JsonObject
  const operations = jsonPatch(before, after)
  if (operations.length === 0) return { allowed: true }
  const { kind, subresource } = declaration
  const hasStatus = kind.subresources.includes('status')
  const field = protectedField(operations, { subresource, hasStatus })
  if (field !== undefined) {
    throw new SetpointError(
      'ADMISSION_INVALID',
      `it changed ${field}, which a mutation cannot change`,
      {
        hint: 'the API server would refuse or drop the change; leave the field as it is',
      },
    )
  }
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64')
  return { allowed: true, patchType: 'JSONPatch', patch }
}

function wrongResult(result: unknown, hint: string): SetpointError {
  const what = result === null ? 'null' : Array.isArray(result) ? 'a list' : `a ${typeof result}`
  return new SetpointError('ADMISSION_INVALID', `it returned ${what}`, { hint })
}

/** The warnings and audit annotations of a review. */
class Notes {
  readonly #warnings: string[] = []
  readonly #annotations: Record<string, string> = {}

  context(
    request: AdmissionRequest,
    { host, signal, log, caller }: Pick<ReviewOptions, 'host' | 'signal' | 'log' | 'caller'>,
  ): AdmissionContext {
    const { operation, userInfo, dryRun = false } = request
    return {
      operation,
      old: request.oldObject ?? undefined,
      user: userInfo,
      dryRun,
      name: request.name === '' ? undefined : request.name,
      namespace: request.namespace === '' ? undefined : request.namespace,
      request,
      caller,
      signal,
      get log() {
        return log()
      },
      now: () => host.now(),
      warn: (message) => void this.#warnings.push(message),
      auditAnnotation: (key, value) => void (this.#annotations[key] = value),
    }
  }

  fields(): Pick<AdmissionResponse, 'warnings' | 'auditAnnotations'> {
    return {
      ...(this.#warnings.length === 0 ? {} : { warnings: [...this.#warnings] }),
      ...(Object.keys(this.#annotations).length === 0
        ? {}
        : { auditAnnotations: { ...this.#annotations } }),
    }
  }
}

/** Runs a function with a signal that is aborted at the deadline; then it does not wait for it. */
async function withDeadline<T>(
  { host, timeoutMs, signal }: ReviewOptions,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  let stop = (_: Error): void => undefined
  const late = new Promise<never>((_, reject) => {
    stop = (error) => {
      reject(error)
      controller.abort(error)
    }
  })
  const timer = host.setTimer(timeoutMs, () =>
    stop(new SetpointError('ADMISSION_TIMEOUT', `it did not return within ${timeoutMs / 1000} s`)),
  )
  const stopListening = onAbort(signal, () =>
    stop(new SetpointError('ABORTED', 'the API server no longer waits')),
  )
  try {
    return await Promise.race([run(controller.signal), late])
  } finally {
    timer.cancel()
    stopListening()
  }
}
