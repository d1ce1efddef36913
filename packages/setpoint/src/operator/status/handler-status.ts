import { withReady } from '../failures/failure-report.ts'
import type {
  ApiResource,
  OperatorDeclaration,
  StatedFields,
} from '../declare/operator-declaration.ts'
import type { StatedCondition } from '../declare/operator-types.ts'
import type { StatusWriter } from './status-writer.ts'

/**
 * What the status says with what the author does not state: what handlers returned stays, and what is in the way is the
 * Ready condition. `undefined` when there is nothing to say.
 */
export function wholeStatus(
  stated: StatedFields | undefined,
  at: {
    readonly declaration: OperatorDeclaration
    readonly statuses: StatusWriter
    /** The object with what was written for it in this run. */
    readonly live: ApiResource
    readonly obstacle: StatedCondition | undefined
  },
): StatedFields | undefined {
  const { declaration, statuses, live, obstacle } = at
  if (stated === undefined && obstacle === undefined) return undefined
  const all = { ...resultsIn(live, declaration), ...(stated ?? statuses.stated(live)) }
  return obstacle === undefined ? all : withReady(all, obstacle)
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
