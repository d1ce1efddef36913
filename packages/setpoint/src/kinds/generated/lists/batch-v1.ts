// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTypes } from '../../list-types.ts'
import { PodTemplateSpec } from './core-v1.ts'
import { ObjectMeta } from './meta-v1.ts'

export const JobSpec: ListTypes = {
  selector: { atomic: true },
  template: { fields: PodTemplateSpec },
}

export const JobTemplateSpec: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: JobSpec },
}

export const CronJobSpec: ListTypes = {
  jobTemplate: { fields: JobTemplateSpec },
}

export const CronJob: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: CronJobSpec },
}

export const UncountedTerminatedPods: ListTypes = {
  failed: { list: 'set' },
  succeeded: { list: 'set' },
}

export const JobStatus: ListTypes = {
  conditions: { patch: 'merge', mergeKey: 'type' },
  uncountedTerminatedPods: { fields: UncountedTerminatedPods },
}

export const Job: ListTypes = {
  metadata: { fields: ObjectMeta },
  spec: { fields: JobSpec },
  status: { fields: JobStatus },
}

export const listTypes: Readonly<Record<string, ListTypes>> = {
  CronJob,
  Job,
}
