// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import * as messages from './messages/batch-v1.ts'
import { defineKind, type ExactKind } from '../define-kind.ts'
import type { StoredMetadata } from '../metadata.ts'
import type { ObjectReference, PodTemplateSpec } from './core-v1.ts'
import type { LabelSelector, ObjectMeta, Time } from './meta-v1.ts'

/** Creates Jobs on a schedule. */
export interface CronJob {
  apiVersion: 'batch/v1'
  kind: 'CronJob'
  metadata: StoredMetadata<'Namespaced'>
  spec: CronJobSpec
  status?: CronJobStatus
}

export const CronJob: ExactKind<CronJob> = /* @__PURE__ */ defineKind<CronJob>({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  plural: 'cronjobs',
  singular: 'cronjob',
  shortNames: ['cj'],
  scope: 'Namespaced',
  subresources: ['status'],
  protobuf: messages.CronJob,
})

export interface CronJobSpec {
  concurrencyPolicy?: 'Allow' | 'Forbid' | 'Replace'
  failedJobsHistoryLimit?: number
  jobTemplate: JobTemplateSpec
  schedule: string
  startingDeadlineSeconds?: number
  successfulJobsHistoryLimit?: number
  suspend?: boolean
  timeZone?: string
}

export interface CronJobStatus {
  active?: ObjectReference[]
  lastScheduleTime?: Time
  lastSuccessfulTime?: Time
}

/** Runs pods until enough of them have succeeded. */
export interface Job {
  apiVersion: 'batch/v1'
  kind: 'Job'
  metadata: StoredMetadata<'Namespaced'>
  spec: JobSpec
  status?: JobStatus
}

export const Job: ExactKind<Job> = /* @__PURE__ */ defineKind<Job>({
  apiVersion: 'batch/v1',
  kind: 'Job',
  plural: 'jobs',
  singular: 'job',
  scope: 'Namespaced',
  subresources: ['status'],
  protobuf: messages.Job,
})

export interface JobCondition {
  lastProbeTime?: Time | null
  lastTransitionTime?: Time | null
  message?: string
  reason?: string
  status: string
  type: string
}

export interface JobSpec {
  activeDeadlineSeconds?: number
  backoffLimit?: number
  backoffLimitPerIndex?: number
  completionMode?: 'Indexed' | 'NonIndexed'
  completions?: number
  managedBy?: string
  manualSelector?: boolean
  maxFailedIndexes?: number
  parallelism?: number
  podFailurePolicy?: PodFailurePolicy
  podReplacementPolicy?: 'Failed' | 'TerminatingOrFailed'
  selector?: LabelSelector
  successPolicy?: SuccessPolicy
  suspend?: boolean
  template: PodTemplateSpec
  ttlSecondsAfterFinished?: number
}

export interface JobStatus {
  active?: number
  completedIndexes?: string
  completionTime?: Time
  conditions?: JobCondition[]
  failed?: number
  failedIndexes?: string
  ready?: number
  startTime?: Time
  succeeded?: number
  terminating?: number
  uncountedTerminatedPods?: UncountedTerminatedPods
}

export interface JobTemplateSpec {
  metadata?: ObjectMeta
  spec?: JobSpec
}

export interface PodFailurePolicy {
  rules: PodFailurePolicyRule[]
}

export interface PodFailurePolicyOnExitCodesRequirement {
  containerName?: string
  operator: 'In' | 'NotIn'
  values: number[]
}

export interface PodFailurePolicyOnPodConditionsPattern {
  status?: string
  type: string
}

export interface PodFailurePolicyRule {
  action: 'Count' | 'FailIndex' | 'FailJob' | 'Ignore'
  onExitCodes?: PodFailurePolicyOnExitCodesRequirement
  onPodConditions?: PodFailurePolicyOnPodConditionsPattern[]
}

export interface SuccessPolicy {
  rules: SuccessPolicyRule[]
}

export interface SuccessPolicyRule {
  succeededCount?: number
  succeededIndexes?: string
}

export interface UncountedTerminatedPods {
  failed?: string[]
  succeeded?: string[]
}
