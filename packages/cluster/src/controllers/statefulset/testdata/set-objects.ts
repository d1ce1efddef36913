import type { PodObject } from '../../pods/pod-state.ts'
import type { ClaimObject } from '../claim-owners.ts'
import type { StatefulSetObject } from '../stateful-pod.ts'

const stored = {
  namespace: 'default',
  resourceVersion: '1',
  creationTimestamp: '2026-01-01T00:00:00Z',
}

/** A StatefulSet as the server stores it. */
export function aSet(spec: Partial<StatefulSetObject['spec']> = {}): StatefulSetObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { ...stored, name: 'db', uid: 'set', generation: 1 },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'db' } },
      serviceName: 'dbs',
      template: {
        metadata: { labels: { app: 'db' } },
        spec: { containers: [{ name: 'main', image: 'db' }] },
      },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      ...spec,
    },
  }
}

/** A pod as the server stores it. */
export function aPod(name: string, further: Partial<PodObject['metadata']> = {}): PodObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...stored, name, uid: `uid-${name}`, ...further },
    spec: { containers: [] },
    status: { phase: 'Pending' },
  }
}

/** A claim with owner references, as the server stores it. */
export function aClaim(...owners: readonly Partial<OwnerReference>[]): ClaimObject {
  const base = { apiVersion: 'v1', kind: 'Pod', name: 'db-0', uid: 'u', controller: true }
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      ...stored,
      name: 'data-db-0',
      uid: 'claim',
      ownerReferences: owners.map((owner) => ({ ...base, ...owner })),
    },
    spec: {},
  }
}

interface OwnerReference {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly uid: string
  readonly controller: boolean
}
