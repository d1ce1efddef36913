import type { Frozen, InferResource, CacheView } from 'setpoint'
import { isTerminating, Pod } from 'setpoint/kinds'
import type { Memcached } from './memcached.ts'

/** A Memcached as the functions of an operator receive it. */
type Owner = Frozen<InferResource<typeof Memcached>>

/** The label with the name of a pod's Memcached. The owner of the pod is a ReplicaSet. */
export const memcachedLabel = 'cache.my.domain/memcached'

/** The desired Deployment of a Memcached. */
export function deploymentOf({ metadata: { name }, spec: { size } }: Owner) {
  const labels = { app: 'memcached', [memcachedLabel]: name }
  const memcached = {
    name: 'memcached',
    image: 'memcached:1.6',
    // The tutorial has -m=64, which memcached 1.6 reads as 0 MB and refuses.
    command: ['memcached', '-m', '64', '-o', 'modern', '-v'],
    ports: [{ name: 'memcached', containerPort: 11_211 }],
    readinessProbe: { tcpSocket: { port: 'memcached' } },
  }
  return {
    spec: {
      replicas: size,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [memcached] } },
    },
  }
}

/** Maps a pod to the key of its Memcached, for `.watch`. */
export function memcachedOf({ metadata: { namespace, labels } }: Frozen<Pod>): string[] {
  const name = labels?.[memcachedLabel]
  return name === undefined ? [] : [`${namespace}/${name}`]
}

/** The status of a Memcached, without conditions. */
export function statusOf(
  { metadata: { name, namespace } }: Owner,
  { list }: CacheView<typeof Pod>,
) {
  const pods = list(Pod, { namespace, labels: { [memcachedLabel]: name } })
  const nodes = pods.filter(isServing).map(({ metadata }) => metadata.name)
  return {
    nodes: nodes.sort(),
    size: nodes.length,
    selector: `${memcachedLabel}=${name}`,
  }
}

/** A terminated or terminating pod does not serve, although it still exists. */
function isServing(pod: Frozen<Pod>): boolean {
  const hasEnded = pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
  return !isTerminating(pod) && !hasEnded
}
