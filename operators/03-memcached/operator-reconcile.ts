import { operator } from 'setpoint'
import { Deployment, Pod } from 'setpoint/kinds'
import { Memcached } from './memcached.ts'
import { deploymentOf, memcachedLabel, memcachedOf, statusOf } from './workload.ts'

/** The same as `operator.ts`, step by step, as the text has it. */
export default operator(Memcached, { concurrency: 2 })
  .owns(Deployment)
  .watch(Pod, memcachedOf, { labelSelector: memcachedLabel })
  .reconcile(async (memcached, ctx) => {
    if (ctx.get(Deployment, memcached.metadata.name) === undefined) {
      ctx.log.info({ deployment: memcached.metadata.name }, 'creating a new Deployment')
    }
    // Makes it when it is missing, corrects it when it differs, and does nothing otherwise.
    await ctx.apply(Deployment, deploymentOf(memcached))
  })
  .status((memcached, _, view) =>
    statusOf(memcached, view.get(Deployment, memcached.metadata.name), view),
  )
