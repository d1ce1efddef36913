import { type Frozen, type InferResource, type OwnerView, when } from 'setpoint'
import { Deployment, Pod } from 'setpoint/kinds'
import type { Memcached } from './memcached.ts'

/** A Memcached as the functions of an operator get it. */
type Owner = Frozen<InferResource<typeof Memcached>>

/** The label that leads from a pod to its Memcached: the pods belong to a ReplicaSet of the Deployment, not to it. */
export const memcachedLabel = 'cache.my.domain/memcached'

/** The Deployment that a Memcached should have. */
export function deploymentOf({ metadata: { name }, spec: { size } }: Owner) {
  const labels = { app: 'memcached', [memcachedLabel]: name }
  const memcached = {
    name: 'memcached',
    image: 'memcached:1.6',
    // The text writes -m=64, which 1.6 reads as no memory at all and refuses.
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

/** The key of the Memcached that a pod runs for, for `.watch`. */
export function memcachedOf({ metadata: { namespace, labels } }: Frozen<Pod>): string[] {
  const name = labels?.[memcachedLabel]
  return name === undefined ? [] : [`${namespace}/${name}`]
}

/** What the status of a Memcached says. */
export function statusOf(
  { metadata: { name, namespace } }: Owner,
  deployment: Frozen<Deployment> | undefined,
  { list }: OwnerView<typeof Pod>,
) {
  const pods = list(Pod, { namespace, labels: { [memcachedLabel]: name } })
  const nodes = pods.filter(isServing).map(({ metadata }) => metadata.name)
  return {
    nodes: nodes.sort(),
    size: nodes.length,
    selector: `${memcachedLabel}=${name}`,
    conditions: {
      Ready: when(Deployment.isRolledOut(deployment), 'RolledOut', Deployment.progress(deployment)),
    },
  }
}

/** One that ended or is going does not run memcached, although it still is there. */
function isServing({ metadata, status }: Frozen<Pod>): boolean {
  const hasEnded = status?.phase === 'Succeeded' || status?.phase === 'Failed'
  return metadata.deletionTimestamp === undefined && !hasEnded
}
