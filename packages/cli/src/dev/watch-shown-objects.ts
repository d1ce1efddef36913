import { operator, type RunningOperators, start } from 'setpoint'
import type { Connection } from 'setpoint/client'
import type { Host } from 'setpoint/host'
import { isTerminating } from 'setpoint/kinds'
import type { LoadedOperator, SentKind } from './messages.ts'
import type { DevEvent, ShownObject } from './view.ts'

interface SeenObject {
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly deletionTimestamp?: string
  }
  readonly status?: { readonly conditions?: ShownObject['conditions'] }
}

const silent = {
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silent,
}

/** Reports every object of the operators' kinds. It runs an operator that only watches. */
export async function watchObjects(
  operators: readonly LoadedOperator[],
  { host, connection }: { readonly host: Host; readonly connection: Connection },
  show: (event: DevEvent) => void,
): Promise<RunningOperators> {
  const shown = operators.filter(({ isApi }) => !isApi)
  const kinds = new Map(shown.map(({ kind }) => [`${kind.plural}.${kind.group}`, kind]))
  const watchers = [...kinds.values()].map((kind, index) =>
    operator(kind as SentKind & { readonly '~object'?: SeenObject }, {
      // Not of the kind, whose name may be too long; it keeps nothing on the objects.
      name: `setpoint-dev-${index}`,
    }).onEvent(async ({ type, object }) => show(eventOf(kind, object, type))),
  )
  return start(watchers, { host, connection, logger: silent })
}

function eventOf({ kind }: SentKind, object: SeenObject, type: string): DevEvent {
  const { name, namespace } = object.metadata
  const key = namespace === undefined ? name : `${namespace}/${name}`
  if (type === 'removed' || type === 'deselected') return { is: 'gone', kind, key }
  const conditions = (object.status?.conditions ?? []).map(
    ({ type: condition, status, reason, message }) => ({
      type: condition,
      status,
      reason,
      message,
    }),
  )
  return {
    is: 'object',
    object: { kind, key, conditions, isTerminating: isTerminating(object) },
  }
}
