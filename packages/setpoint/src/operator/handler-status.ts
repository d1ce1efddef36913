import type { Handled } from '../handlers/handler-run.ts'
import { withFailure } from './failure-report.ts'
import type { ApiResource, OperatorDeclaration, StatedFields } from './operator-declaration.ts'
import type { StatusWriter } from './status-writer.ts'

/**
 * What the status says with what handlers have to say: what they returned stays, and what they failed with is the Ready
 * condition. `undefined` when there is nothing to say.
 */
export function withHandlers(
  stated: StatedFields | undefined,
  at: {
    readonly declaration: OperatorDeclaration
    readonly statuses: StatusWriter
    /** The object with what was written for it in this run. */
    readonly live: ApiResource
    readonly handled: Handled | undefined
  },
): StatedFields | undefined {
  const { declaration, statuses, live, handled } = at
  const { handlers, definition } = declaration
  if (handlers.length === 0) return stated
  const hasReady = definition?.conditions.includes('Ready') === true
  const failure = hasReady ? handled?.failure : undefined
  if (stated === undefined && failure === undefined) return undefined
  const all = { ...resultsIn(live, declaration), ...(stated ?? statuses.stated(live)) }
  return failure === undefined ? all : withFailure(all, failure)
}

/** What handlers returned, as the status of their object has it. */
export function resultsIn(
  live: ApiResource,
  { handlers }: Pick<OperatorDeclaration, 'handlers'>,
): Readonly<Record<string, unknown>> {
  const status = (live['status'] ?? {}) as Readonly<Record<string, unknown>>
  const ids = handlers.map(({ id }) => id).filter((id) => Object.hasOwn(status, id))
  return Object.fromEntries(ids.map((id) => [id, status[id]]))
}
