import { HandlerRuntime } from '../../handlers/handler-runtime.ts'
import { identityOf } from '../declare/operator-identity.ts'
import type { OperatorServices } from './operator-services.ts'
import { taskContext } from './task-context.ts'

const taskRuns = {
  name: 'setpoint_task_runs_total',
  help: 'Total number of calls of daemons and timers per controller, handler and result.',
  labels: ['controller', 'handler', 'result'],
} as const

/** The handlers of an operator, with contexts for daemons, timers and event handlers. */
export function createHandlerRuntime(
  services: Omit<OperatorServices, 'handlers' | 'runbooks'>,
): HandlerRuntime {
  const { declaration, caches, failureEvents } = services
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
    contextOf: (object, signal) => taskContext(services, object, signal),
    onTaskEnd: ({ id }, error) => {
      const result = error === undefined ? 'success' : 'error'
      const labels = { controller: name, handler: id, result }
      services.metrics.counter(taskRuns).add(labels)
    },
    report: (object, message) => void failureEvents.record(object, message),
  })
}
