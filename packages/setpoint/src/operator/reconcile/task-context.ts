import { keyOf } from '../../cache/index.ts'
import type { Run } from '../../controller/index.ts'
import type { ApiResource } from '../../kinds/api-resource.ts'
import type { ReconcileContext } from '../declare/contexts.ts'
import { OwnerState } from '../owner/owner-state.ts'
import { StatusDraft } from '../status/status-draft.ts'
import { ObjectWriter } from '../write/object-writer.ts'
import type { OperatorServices } from './operator-services.ts'
import { reconcileContext } from './reconcile-context.ts'

/** The context of the author's functions that run outside of reconciles. */
export function taskContext(
  services: Omit<OperatorServices, 'handlers' | 'runbooks'>,
  object: ApiResource,
  signal: AbortSignal,
): ReconcileContext {
  const { host, freshness, log: operatorLog } = services
  const owner = new OwnerState(object)
  const key = keyOf(object.metadata)
  const log = operatorLog.child({ key })
  // No reconcile runs, so the watch event of a write must trigger one. Only writes of the owner are
  // recorded.
  const run: Run = {
    id: host.uuid(),
    key,
    reasons: [],
    failures: 0,
    signal,
    wrote: (_, written) => owner.recordWrite(written),
  }
  const parts = { ...services, run, log }
  const fresh = freshness.of(owner, run)
  const writer = new ObjectWriter({ ...parts, fresh })
  const status = new StatusDraft({ ...parts, owner, fresh })
  return reconcileContext({ ...parts, owner: object, writer, status })
}
