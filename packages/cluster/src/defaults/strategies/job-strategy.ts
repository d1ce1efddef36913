import type { Job, ReplicationController } from 'setpoint/kinds'
import type { JsonObject } from 'setpoint/schema'
import { nameOf } from '../../object/index.ts'
import type { NewObject, Strategy } from './strategy.ts'

/** Labels with the job's name and uid; those without a prefix are the older ones. */
const nameLabels = ['job-name', 'batch.kubernetes.io/job-name']
const uidLabel = 'batch.kubernetes.io/controller-uid'
const uidLabels = ['controller-uid', uidLabel]

/** A job without a manual selector selects its pods by its uid. */
function generateSelector({ object }: NewObject): void {
  const { metadata, spec } = object as unknown as Job
  if (spec.manualSelector === true) return
  const template = (spec.template.metadata ??= {})
  const labels = { ...template.labels }
  for (const label of nameLabels) labels[label] ??= nameOf(object)
  for (const label of uidLabels) labels[label] ??= metadata.uid
  // Defaulting shares the labels object of the template.
  if (metadata.labels !== undefined && metadata.labels === template.labels) {
    metadata.labels = { ...labels }
  }
  template.labels = labels
  const selector = (spec.selector ??= {})
  selector.matchLabels = { [uidLabel]: metadata.uid, ...selector.matchLabels }
}

/**
 * Defaulting runs again when an object with a template is read: one that was stored without labels
 * then has those of its template. Undefined if nothing is missing.
 */
export function labelledLikeTemplate(stored: JsonObject): JsonObject | undefined {
  const { metadata, spec } = stored as unknown as Job | ReplicationController
  const { labels = {} } = spec.template?.metadata ?? {}
  if (Object.keys(labels).length === 0) return undefined
  if (Object.keys(metadata.labels ?? {}).length > 0) return undefined
  return {
    ...stored,
    metadata: { ...(stored['metadata'] as JsonObject), labels: { ...labels } } as JsonObject,
  }
}

/** Jobs. */
export const jobStrategy: Strategy = {
  status: 'wiped',
  startsGeneration: true,
  generationOf: [['spec']],
  onCreate: generateSelector,
}
