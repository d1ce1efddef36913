import { isApiError } from 'setpoint/client'
import type { ApiObject } from '../api-resources.ts'
import { KubectlProblem, unsupported } from '../kubectl-problem.ts'
import type { KubectlSession } from '../kubectl-session.ts'

/** The Job template of a CronJob. */
interface CronJobSpec {
  readonly jobTemplate: {
    readonly metadata?: {
      readonly labels?: Readonly<Record<string, string>>
      readonly annotations?: Readonly<Record<string, string>>
    }
    readonly spec: unknown
  }
}

/** `kubectl create job NAME --from=cronjob/NAME`: a Job outside of the schedule. */
export async function jobFromCronJob(session: KubectlSession, name: string): Promise<ApiObject> {
  const { client, line, namespace } = session
  const [type = '', from = ''] = (line.text('from') ?? '').split('/')
  if (type === '') throw unsupported('create job without --from')
  const resources = await session.resources()
  const cronJob = await client.get(resources.named(type), { name: from, namespace })
  if (cronJob.kind !== 'CronJob') {
    throw new KubectlProblem(`error: from must be an existing cronjob, not ${type}`)
  }
  const { jobTemplate } = cronJob['spec'] as CronJobSpec
  const { labels, annotations } = jobTemplate.metadata ?? {}
  const { apiVersion, metadata } = cronJob
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name,
      namespace,
      ...(labels === undefined ? {} : { labels }),
      annotations: { 'cronjob.kubernetes.io/instantiate': 'manual', ...annotations },
      ownerReferences: [
        {
          apiVersion,
          kind: 'CronJob',
          name: metadata.name,
          uid: metadata.uid,
          controller: true,
        },
      ],
    },
    spec: jobTemplate.spec,
  }
}

/** The message that kubectl prints for a refused Job. */
export function refusedJobMessage(error: unknown): string | undefined {
  return isApiError(error) ? `error: failed to create job: ${error.status.message}` : undefined
}
