import type { JobSpec, Pod } from 'setpoint/kinds'
import type { JobObject } from '../job-rules.ts'
import { trackingFinalizer } from '../job-rules.ts'
import type { PodObject } from '../../pods/pod-state.ts'

const time = '2026-01-01T00:00:00Z'
const stored = { namespace: 'default', resourceVersion: '1', creationTimestamp: time }

/** A Job as the server stores it. */
export function aJob(spec: Partial<JobSpec> = {}, status?: JobObject['status']): JobObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { ...stored, name: 'work', uid: 'job' },
    spec: {
      parallelism: 1,
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      suspend: false,
      template: { spec: { restartPolicy: 'Never', containers: [] } },
      ...spec,
    },
    ...(status && { status }),
  }
}

interface PodTraits {
  readonly phase?: NonNullable<NonNullable<Pod['status']>['phase']>
  readonly index?: number
  /** How often earlier pods failed in its index. */
  readonly failures?: number
  readonly isDeleted?: boolean
  readonly isTracked?: boolean
  readonly isReady?: boolean
  readonly nodeName?: string
  readonly exitCode?: number
  readonly finishedAt?: string
  readonly createdAt?: string
  readonly restarts?: number
}

/** A pod of a Job as the server stores it. */
export function aPod(uid: string, traits: PodTraits = {}): PodObject {
  const { phase = 'Pending', index, failures, isDeleted, isTracked = true, nodeName } = traits
  const annotations = {
    ...(index !== undefined && { 'batch.kubernetes.io/job-completion-index': String(index) }),
    ...(failures !== undefined && {
      'batch.kubernetes.io/job-index-failure-count': String(failures),
    }),
  }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...stored,
      name: uid,
      uid,
      annotations,
      ...(traits.createdAt && { creationTimestamp: traits.createdAt }),
      ...(isTracked && { finalizers: [trackingFinalizer] }),
      ...(isDeleted && { deletionTimestamp: time, deletionGracePeriodSeconds: 0 }),
    },
    spec: { containers: [], ...(nodeName && { nodeName }) },
    status: { phase, ...statusOf(traits) },
  }
}

function statusOf({ isReady, exitCode, finishedAt, restarts = 0 }: PodTraits): Pod['status'] {
  const base = { name: 'main', image: '', imageID: '', ready: false, restartCount: restarts }
  const terminated = { exitCode: exitCode ?? 0, ...(finishedAt && { finishedAt }) }
  const hasEnded = exitCode !== undefined || finishedAt !== undefined
  return {
    ...(isReady && { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: time }] }),
    ...((hasEnded || restarts > 0) && {
      containerStatuses: [{ ...base, ...(hasEnded && { state: { terminated } }) }],
    }),
  }
}
