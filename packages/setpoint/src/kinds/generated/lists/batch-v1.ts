// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTable } from '../../list-table.ts'
import * as coreV1 from './core-v1.ts'
import * as metaV1 from './meta-v1.ts'

export const JobSpec: ListTable = ['template:f', coreV1.PodTemplateSpec]

export const CronJob: ListTable = ['spec:f', ['jobTemplate:f', ['metadata:f spec:f', metaV1.ObjectMeta, JobSpec]]]

export const Job: ListTable = ['spec:f status:f', JobSpec, ['uncountedTerminatedPods:f', ['failed:s succeeded:s']]]

export const listTables: Readonly<Record<string, ListTable>> = {
  CronJob,
  Job,
}
