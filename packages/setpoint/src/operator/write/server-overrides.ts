import type { ApiResource } from '../../kinds/api-resource.ts'
import { contentHash, type ObjectDiff, pointerFields } from '../../patch/index.ts'
import { hasFields } from '../../schema/json-value.ts'

/**
 * The annotation with a hash of the fields that the server stores differently from what was sent: a
 * `nodePort` of 0, a list that admission extends, an image that a webhook rewrites. Without it
 * every reconcile would send them again.
 */
const overridesAnnotation = 'setpoint.dev/kept'

/** Whether the difference is what the server has overridden before. */
export function isServerOverride(live: ApiResource, difference: ObjectDiff): boolean {
  const known = live.metadata.annotations?.[overridesAnnotation]
  return known !== undefined && known === overridesText(live, difference)
}

/** A merge patch that records what the server has overridden. */
export function overridesPatch(live: ApiResource, difference: ObjectDiff): { merge: object } {
  const annotations = { [overridesAnnotation]: overridesText(live, difference) }
  return { merge: { metadata: { annotations } } }
}

/** A hash of the differing fields and of their live values: other drift has another hash. */
function overridesText(live: ApiResource, { operations }: ObjectDiff): string {
  const values = operations.map(({ path }) => pointerFields(path).reduce(fieldOf, live))
  return contentHash({ operations, instead: values }).content
}

function fieldOf(value: unknown, field: string): unknown {
  if (Array.isArray(value)) return value[Number(field)]
  return hasFields(value) ? value[field] : undefined
}
