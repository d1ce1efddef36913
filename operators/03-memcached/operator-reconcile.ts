import { operator, when } from 'setpoint'
import { Deployment, Pod } from 'setpoint/kinds'
import { Memcached } from './memcached.ts'
import { deploymentOf, memcachedLabel, memcachedOf, statusOf } from './workload.ts'

/**
 * Does what `operator.ts` does, step by step as in the tutorial that this example follows. Without
 * a declared child there is no derived Ready, so it is stated here.
 */
export default operator(Memcached, { concurrency: 2 })
  .owns(Deployment)
  .watch(Pod, memcachedOf, { labelSelector: memcachedLabel })
  .reconcile(async (memcached, ctx) => {
    if (ctx.get(Deployment, memcached.metadata.name) === undefined) {
      ctx.log.info({ deployment: memcached.metadata.name }, 'creating a new Deployment')
    }
    // Creates the Deployment, or updates it if it differs; else sends no request.
    await ctx.apply(Deployment, deploymentOf(memcached))
  })
  .status((memcached, _, view) => {
    const deployment = view.get(Deployment, memcached.metadata.name)
    const isRolledOut = Deployment.isRolledOut(deployment)
    return {
      ...statusOf(memcached, view),
      conditions: { Ready: when(isRolledOut, 'Reconciled', Deployment.progress(deployment)) },
    }
  })
