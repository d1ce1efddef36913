import { operator } from 'setpoint'
import { Deployment, Pod } from 'setpoint/kinds'
import { Memcached } from './memcached.ts'
import { deploymentOf, memcachedLabel, memcachedOf, statusOf } from './workload.ts'

/** Keeps a Deployment of `spec.size` memcached for every Memcached, and says which pods run it. */
export default operator(Memcached, { concurrency: 2 })
  .child('deployment', Deployment, deploymentOf)
  .watch(Pod, memcachedOf, { labelSelector: memcachedLabel })
  .status((memcached, { deployment }, view) => statusOf(memcached, deployment, view))
