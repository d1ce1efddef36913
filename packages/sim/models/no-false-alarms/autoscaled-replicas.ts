import * as z from 'zod'
import { defineResource, type InferResource } from 'setpoint'
import { Deployment, HorizontalPodAutoscaler } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import { createOrUpdate } from '../support/create-or-update.ts'
import { childMetadata } from '../support/member-set.ts'
import { startController } from '../support/start-controller.ts'
import { setStatus } from '../support/status.ts'
import type { NoAlarm } from './no-alarm.ts'

const Frontend = defineResource({
  group: 'frontends.example.com',
  version: 'v1',
  kind: 'Frontend',
  spec: z.object({
    image: z.string().min(1).default('frontend:1.0'),
    minReplicas: z.int32().min(1).max(9).default(2),
  }),
  conditions: ['Ready'],
})
type Frontend = InferResource<typeof Frontend>

const program = (process: ProcessContext) =>
  startController({
    ...process,
    for: Frontend,
    owns: [Deployment, HorizontalPodAutoscaler],
    reconcile: async (key, tools) => {
      const frontend = await tools.client.find(Frontend, key)
      if (frontend === undefined || frontend.metadata.deletionTimestamp !== undefined) return
      const deployment = await createOrUpdate(tools, Deployment, deploymentOf(frontend))
      await createOrUpdate(tools, HorizontalPodAutoscaler, autoscalerOf(frontend))
      const isReady = Deployment.isRolledOut(deployment)
      const reason = isReady ? 'RolledOut' : 'Progressing'
      const message = Deployment.progress(deployment)
      await setStatus(tools, Frontend, { object: frontend, isReady, reason, message })
    },
  })

/** Without replicas: they belong to the autoscaler. */
function deploymentOf(frontend: Frontend) {
  const labels = { app: frontend.metadata.name }
  const containers = [{ name: 'web', image: frontend.spec.image }]
  return {
    metadata: childMetadata(Frontend, frontend, frontend.metadata.name),
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  }
}

function autoscalerOf(frontend: Frontend) {
  const { name } = frontend.metadata
  return {
    metadata: childMetadata(Frontend, frontend, name),
    spec: {
      minReplicas: frontend.spec.minReplicas,
      maxReplicas: 12,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
    },
  }
}

export const autoscaledReplicas: NoAlarm = {
  id: 'N07',
  summary: 'The replicas of a Deployment belong to an autoscaler, and change without the operator.',
  resource: Frontend,
  sample: { metadata: { name: 'oak' }, spec: { image: 'frontend:1.0', minReplicas: 2 } },
  program,
}
