import type { Job } from 'setpoint/kinds'
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
  // Defaulting, which runs again when a job is read, shares the labels object of the template.
  const isShared = metadata.labels === template.labels
  if (isShared || Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = { ...labels }
  template.labels = labels
  const selector = (spec.selector ??= {})
  selector.matchLabels = { [uidLabel]: metadata.uid, ...selector.matchLabels }
}

/** Defaulting runs again when a job is read: one without labels has those of its template. */
function labelLikeTemplate({ object }: NewObject): void {
  const { metadata, spec } = object as unknown as Job
  const { labels } = spec.template.metadata ?? {}
  if (labels === undefined || Object.keys(metadata.labels ?? {}).length > 0) return
  metadata.labels = { ...labels }
}

/** Jobs. */
export const jobStrategy: Strategy = {
  status: 'wiped',
  startsGeneration: true,
  generationOf: [['spec']],
  onCreate: generateSelector,
  onUpdate: labelLikeTemplate,
  onStatusUpdate: labelLikeTemplate,
}
