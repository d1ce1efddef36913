// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { MessageTable } from '../../../protobuf/index.ts'
import * as coreV1 from './core-v1.ts'
import * as metaV1 from './meta-v1.ts'

export const JobSpec: MessageTable = ['parallelism:?i completions:?i activeDeadlineSeconds:?i selector:?m manualSelector:?b template:!m backoffLimit:?i ttlSecondsAfterFinished:?i completionMode:? suspend:?b podFailurePolicy:?m backoffLimitPerIndex:?i maxFailedIndexes:?i podReplacementPolicy:? managedBy:? successPolicy:?m', metaV1.LabelSelector, coreV1.PodTemplateSpec, ['rules:!*m', ['action:! onExitCodes:?m onPodConditions:*m', ['containerName:? operator:! values:!*i'], ['type:! status:!']]], ['rules:!*m', ['succeededIndexes:? succeededCount:?i']]]

export const CronJob: MessageTable = ['metadata:!m spec:!m status:!m', metaV1.ObjectMeta, ['schedule:! startingDeadlineSeconds:?i concurrencyPolicy suspend:?b jobTemplate:!m successfulJobsHistoryLimit:?i failedJobsHistoryLimit:?i timeZone:?', ['metadata:!m spec:!m', metaV1.ObjectMeta, JobSpec]], ['active:*m 4lastScheduleTime:?t lastSuccessfulTime:?t', coreV1.ObjectReference]]

export const Job: MessageTable = ['metadata:!m spec:!m status:!m', metaV1.ObjectMeta, JobSpec, ['conditions:*m startTime:?t completionTime:?t active:i succeeded:i failed:i completedIndexes uncountedTerminatedPods:?m ready:?i failedIndexes:? terminating:?i', ['type:! status:! lastProbeTime:!t lastTransitionTime:!t reason message'], ['succeeded:* failed:*']]]
