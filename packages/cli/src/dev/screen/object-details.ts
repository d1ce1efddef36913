import { type Client, isApiError } from 'setpoint/client'
import { conditionOf, Event } from 'setpoint/kinds'
import type { LoadedOperator, SentKind } from '../messages.ts'
import { type ObjectDetails, type ShownObject, splitKey } from '../view.ts'

interface SeenChild {
  readonly metadata: {
    readonly name: string
    readonly ownerReferences?: readonly { readonly kind: string; readonly name: string }[]
  }
  readonly status?: {
    readonly phase?: string
    readonly conditions?: readonly { readonly type: string; readonly status: string }[]
  }
}

/** Reads the children and the Events of an object. */
export async function objectDetails(
  client: Client,
  operators: readonly LoadedOperator[],
  { kind, key }: ShownObject,
): Promise<ObjectDetails> {
  const { namespace, name } = splitKey(key)
  const kinds = new Map(
    operators
      .filter((operator) => operator.kind.kind === kind)
      .flatMap(({ children }) => children)
      .map((child) => [`${child.plural}.${child.group}`, child]),
  )
  const children = await Promise.all(
    [...kinds.values()].map(async (child) => {
      const found = await listed(client, child, namespace)
      return found
        .filter(({ metadata }) =>
          metadata.ownerReferences?.some((owner) => owner.kind === kind && owner.name === name),
        )
        .map((object) => `${child.kind} ${object.metadata.name}${stateText(object)}`)
    }),
  )
  const events = await client.listAll(Event, {
    ...(namespace === undefined ? {} : { namespace }),
    fieldSelector: { 'involvedObject.kind': kind, 'involvedObject.name': name },
  })
  return {
    of: `${kind} ${key}`,
    children: children.flat(),
    events: events
      .toReversed()
      .map(({ type = '', reason = '', message = '', lastTimestamp, metadata }) => {
        const time = (lastTimestamp ?? metadata.creationTimestamp).slice(11, 19)
        return `${time} ${type} ${reason}  ${message}`
      }),
  }
}

/** A kind that the server does not serve yet has no objects. */
async function listed(
  client: Client,
  kind: SentKind,
  namespace: string | undefined,
): Promise<SeenChild[]> {
  try {
    const within = kind.scope === 'Namespaced' && namespace !== undefined ? { namespace } : {}
    return await client.listAll<SentKind & { readonly '~object'?: SeenChild }>(kind, within)
  } catch (error) {
    if (isApiError(error, 'API_NOT_FOUND')) return []
    throw error
  }
}

function stateText({ status }: SeenChild): string {
  const ready = conditionOf({ status }, 'Ready') ?? conditionOf({ status }, 'Available')
  if (ready !== undefined) return `  ${ready.type}=${ready.status}`
  return status?.phase === undefined ? '' : `  ${status.phase}`
}
