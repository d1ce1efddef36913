import type { InProcessOperators } from './in-process-operators.ts'
import type { LazyOperators } from './lazy-operators.ts'
import { garbageCollector } from '../../controllers/index.ts'

/**
 * The built-in operators that have no work in the state of a cluster, for its snapshot: those of a
 * cluster that starts from it need not reconcile all objects again. Unknown while anything moves.
 */
export function settledOperators({
  builtin,
  controllers,
}: {
  readonly builtin: LazyOperators | undefined
  readonly controllers: InProcessOperators
}): { readonly settled?: readonly string[] } {
  if (builtin === undefined || builtin.startingCount + controllers.startingCount > 0) return {}
  const isMoving = controllers.traffic.some(
    ({ requests, busyWatches }) => requests + busyWatches > 0,
  )
  if (isMoving) return {}
  const activities = controllers.processes.flatMap((process) => process.activity())
  if (activities.some(({ running, waiting }) => running.length + waiting > 0)) return {}
  // The collectors of custom kinds are processes of their own.
  const isCollecting = activities.some(
    ({ name, scheduled }) => name.startsWith(`${garbageCollector}-`) && scheduled > 0,
  )
  return { settled: builtin.settled().filter((name) => name !== garbageCollector || !isCollecting) }
}
