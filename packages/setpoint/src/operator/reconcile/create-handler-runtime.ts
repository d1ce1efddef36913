import { keyOf } from '../../cache/index.ts'
import type { Run } from '../../controller/index.ts'
import { HandlerRuntime } from '../../handlers/handler-runtime.ts'
import { identityOf } from '../declare/operator-identity.ts'
import { OwnerState } from '../owner/owner-state.ts'
import { StatusDraft } from '../status/status-draft.ts'
import { ObjectWriter } from '../write/object-writer.ts'
import type { OperatorServices } from './operator-services.ts'
import { reconcileContext } from './reconcile-context.ts'

const taskRuns = {
  name: 'setpoint_task_runs_total',
  help: 'Total number of calls of daemons and timers per controller, handler and result.',
  labels: ['controller', 'handler', 'result'],
} as const

/** The handlers of an operator, with contexts for daemons, timers and event handlers. */
export function createHandlerRuntime(services: Omit<OperatorServices, 'handlers'>): HandlerRuntime {
  const { declaration, host, caches, log: operatorLog, failureEvents } = services
  const { kind, definition, handlers, cleanUps, indexes, options } = declaration
  const { name, formerNames = [] } = options
  return new HandlerRuntime({
    ...services,
    cache: caches.resource,
    definition,
    handlers,
    cleanUps,
    indexes,
    identities: [name, ...formerNames].map((one) => identityOf(kind, one)),
    contextOf: (object, signal) => {
      const owner = new OwnerState(object)
      const key = keyOf(object.metadata)
      const log = operatorLog.child({ key })
      // No reconcile runs, so the watch event of a write must trigger one. Only writes of the owner
      // are recorded.
      const run: Run = {
        id: host.uuid(),
        key,
        reasons: [],
        failures: 0,
        signal,
        wrote: (_, written) => owner.recordWrite(written),
      }
      const parts = { ...services, run, log }
      const fresh = services.freshness.of(owner, run)
      const writer = new ObjectWriter({ ...parts, fresh })
      const status = new StatusDraft({ ...parts, owner, fresh })
      return reconcileContext({ ...parts, owner: object, writer, status })
    },
    onTaskEnd: ({ id }, error) => {
      const result = error === undefined ? 'success' : 'error'
      const labels = { controller: name, handler: id, result }
      services.metrics.counter(taskRuns).add(labels)
    },
    report: (object, message) => void failureEvents.record(object, message),
  })
}
