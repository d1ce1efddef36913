import { operator } from 'setpoint'
import { Deployment, Pod } from 'setpoint/kinds'
import { Memcached } from './memcached.ts'
import { deploymentOf, memcachedLabel, memcachedOf, statusOf } from './workload.ts'

/**
 * Maintains a Deployment of `spec.size` pods for every Memcached, and puts their names into the
 * status.
 */
export default operator(Memcached, { concurrency: 2 })
  .child('deployment', Deployment, deploymentOf)
  .watch(Pod, memcachedOf, { labelSelector: memcachedLabel })
  .status((memcached, _, view) => statusOf(memcached, view))
