import type { Handled } from '../handlers/index.ts'
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
  const status = (live['status'] ?? {}) as Readonly<Record<string, unknown>>
  const results = handlers.flatMap(({ id }) =>
    Object.hasOwn(status, id) ? [[id, status[id]] as const] : [],
  )
  const all = { ...Object.fromEntries(results), ...(stated ?? statuses.stated(live)) }
  return failure === undefined ? all : withFailure(all, failure)
}
