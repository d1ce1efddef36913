import type { JsonObject } from 'setpoint/schema'
import { counted, normalText, type Known } from './normalise.ts'
import type { Entry } from './recording.ts'

interface EventObject extends JsonObject {
  involvedObject: { kind: string; name?: string; namespace?: string; fieldPath?: string }
  type: string
  reason: string
  message: string
}

/** Reporters that repeat an Event periodically: the count is not compared. */
function isRepeating({ by, type }: JsonObject): boolean {
  if (by === 'horizontal-pod-autoscaler') return type === 'Warning'
  return by === 'persistentvolume-controller'
}

/**
 * Events as a set: object, reporter and message. A warning is recorded as once or repeated, because
 * the number of retries depends on timing. The number of normal Events is compared.
 */
export function eventEntries(events: readonly JsonObject[], known: Known): Entry[] {
  const shapes = (events as readonly EventObject[])
    .filter((event) => !dependsOnTiming(event))
    .map((event) => shapeOf(event, known))
  return counted(shapes.map(({ shape }) => shape)).map(({ item, times }) => {
    const isRepeated = shapes.some(
      ({ shape, count }) => count > 1 && JSON.stringify(shape) === JSON.stringify(item),
    )
    if (isRepeating(item)) return { event: item, times: 'repeated' }
    const isOnce = times === 1 && !isRepeated
    return {
      event: item,
      times: isOnce ? 1 : isRepeated || item['type'] === 'Warning' ? 'repeated' : times,
    }
  })
}

/** Events that depend on timing: write conflicts, and repairs of the API server's IP allocator. */
function dependsOnTiming(event: EventObject): boolean {
  if (event.message.includes('the object has been modified')) return true
  return event['reportingComponent'] === 'ipallocator-repair-controller'
}

function shapeOf(event: EventObject, known: Known): { shape: JsonObject; count: number } {
  const { involvedObject, type, reason, message } = event
  const { kind, name = '', fieldPath } = involvedObject
  const source = event['source'] as { component?: string } | undefined
  const series = event['series'] as { count?: number } | undefined
  const count = event['count'] as number | undefined
  const action = event['action'] as string | undefined
  return {
    count: series?.count ?? count ?? 1,
    shape: {
      about: `${kind}/${normalText(name, known)}`,
      ...(fieldPath === undefined ? {} : { fieldPath }),
      type,
      reason,
      message: normalText(message, known).replace('(combined from similar events): ', ''),
      by: source?.component ?? (event['reportingComponent'] as string | undefined) ?? '',
      ...(action === undefined ? {} : { action }),
    },
  }
}
