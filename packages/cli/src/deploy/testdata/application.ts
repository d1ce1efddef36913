import * as z from 'zod'
import { defineResource, operator, when } from 'setpoint'
import { Deployment } from 'setpoint/kinds'

/** The resource of the operator of these tests. */
export const Application = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Application',
  spec: z.object({ image: z.string().min(1), replicas: z.int32().min(0).default(1) }),
  status: z.object({ url: z.string().optional() }),
  conditions: ['Ready'],
})

/** An operator with a child, a status, an Event and a cleanup. */
export const application = operator(Application)
  .child('deployment', Deployment, ({ metadata: { name: app }, spec }) => ({
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: { app } },
      template: {
        metadata: { labels: { app } },
        spec: { containers: [{ name: app, image: spec.image }] },
      },
    },
  }))
  .status(({ metadata: { name } }, { deployment }) => ({
    url: `http://${name}`,
    conditions: { Ready: when(Deployment.isRolledOut(deployment), 'RolledOut', 'rolled out') },
  }))
  .reconcile(async (_, ctx) => {
    await ctx.recordEvent({ reason: 'Reconciled', message: 'reconciled' })
  })
  .onDelete(async () => undefined)
