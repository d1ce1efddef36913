import { operator, type RunningOperators, start } from 'setpoint'
import type { Connection } from 'setpoint/client'
import type { Host } from 'setpoint/host'
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

/** Tells of every object of the operators' kinds. It is an operator itself: one that only looks. */
export async function watchObjects(
  operators: readonly LoadedOperator[],
  { host, connection }: { readonly host: Host; readonly connection: Connection },
  tell: (event: DevEvent) => void,
): Promise<RunningOperators> {
  const kinds = new Map(operators.map(({ kind }) => [`${kind.plural}.${kind.group}`, kind]))
  const onlookers = [...kinds.values()].map((kind) =>
    operator(kind as SentKind & { readonly '~object'?: SeenObject }, {
      name: `setpoint-dev-${kind.plural}.${kind.group}`,
    }).onEvent(async ({ type, object }) => tell(eventOf(kind, object, type))),
  )
  return start(onlookers, { host, connection, logger: silent })
}

function eventOf({ kind }: SentKind, object: SeenObject, type: string): DevEvent {
  const { name, namespace, deletionTimestamp } = object.metadata
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
    object: { kind, key, conditions, isBeingDeleted: deletionTimestamp !== undefined },
  }
}
