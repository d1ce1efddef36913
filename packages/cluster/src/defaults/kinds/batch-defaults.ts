import type { CronJob, Job, PodFailurePolicyOnPodConditionsPattern } from 'setpoint/kinds'
import { inPackage, typed, type TypeDefaults } from '../type-defaults.ts'

const int32Max = 2_147_483_647

function fillJob({ metadata, spec }: Job): void {
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1
  spec.parallelism ??= 1
  // With a limit per index the job as a whole has none.
  spec.backoffLimit ??= spec.backoffLimitPerIndex === undefined ? 6 : int32Max
  const labels = spec.template.metadata?.labels
  if (labels !== undefined && Object.keys(metadata.labels ?? {}).length === 0) {
    // The same object, as in Go: labels that are added to the template are added to the job.
    metadata.labels = labels
  }
  spec.completionMode ??= 'NonIndexed'
  spec.suspend ??= false
  spec.podReplacementPolicy ??=
    spec.podFailurePolicy === undefined ? 'TerminatingOrFailed' : 'Failed'
  spec.manualSelector ??= false
}

function fillCronJob({ spec }: CronJob): void {
  spec.concurrencyPolicy ??= 'Allow'
  spec.suspend ??= false
  spec.successfulJobsHistoryLimit ??= 3
  spec.failedJobsHistoryLimit ??= 1
}

/** The batch group. */
export const batchDefaults: TypeDefaults = inPackage('k8s.io.api.batch.v1', {
  Job: typed<Job>(fillJob),
  CronJob: typed<CronJob>(fillCronJob),
  PodFailurePolicyOnPodConditionsPattern: typed<PodFailurePolicyOnPodConditionsPattern>(
    (pattern) => {
      pattern.status ||= 'True'
    },
  ),
})
