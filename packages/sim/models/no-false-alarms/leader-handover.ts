import * as z from 'zod'
import { defineResource, operator, start } from 'setpoint'
import { ConfigMap, Deployment } from 'setpoint/kinds'
import type { ProcessContext } from '../../src/index.ts'
import type { NoAlarm } from './no-alarm.ts'

const Website = defineResource({
  group: 'websites.example.com',
  version: 'v1',
  kind: 'Website',
  spec: z.object({
    replicas: z.int32().min(0).default(2),
    title: z.string().min(1).default('Home'),
  }),
  conditions: ['Ready'],
})

const website = operator(Website)
  .child('content', ConfigMap, ({ spec }) => ({ data: { title: spec.title } }))
  .child('deployment', Deployment, ({ metadata: { name }, spec }) => ({
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] },
      },
    },
  }))

const termMs = 240_000

/** Two replicas of the operator. Every few minutes one stops, and the other one leads. */
const program = async ({ host, connection }: ProcessContext): Promise<void> => {
  const startReplica = (identity: string) =>
    start([website], {
      host,
      connection,
      webhooks: false,
      election: { name: 'website-operator', identity },
    })
  let leader = await startReplica('replica-1')
  for (let number = 2; ; number += 1) {
    const standby = await startReplica(`replica-${number}`)
    await host.sleep(termMs)
    await leader.stop()
    leader = standby
  }
}

export const leaderHandover: NoAlarm = {
  id: 'N03',
  summary: 'The leader of two replicas stops every four minutes, and the other one takes over.',
  resource: Website,
  sample: { metadata: { name: 'oak' }, spec: { replicas: 2, title: 'Home' } },
  program,
}
