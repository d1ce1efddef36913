import type {
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  StorageClass,
} from 'setpoint/kinds'
import { expect, test } from 'vitest'
import { PodVolumes } from './volumes.ts'

const stored = { uid: 'u', resourceVersion: '1', creationTimestamp: '2030-01-01T00:00:00Z' }
const node = {
  metadata: { ...stored, name: 'n1', labels: { zone: 'a' } },
  spec: {},
} as unknown as Node

const modes: Record<string, StorageClass['volumeBindingMode']> = {
  wait: 'WaitForFirstConsumer',
  now: 'Immediate',
  local: 'WaitForFirstConsumer',
}

type ClaimPart = Partial<Pick<PersistentVolumeClaim, 'spec' | 'status'>> & {
  metadata?: Partial<PersistentVolumeClaim['metadata']>
}

function volumesOf(
  claim: ClaimPart | undefined,
  volumes: readonly Partial<PersistentVolume>[] = [],
) {
  const volume = { name: 'v', persistentVolumeClaim: { claimName: 'data' } }
  const pod = {
    metadata: { ...stored, name: 'p', namespace: 'default' },
    spec: { volumes: [volume] },
  }
  const found = claim && {
    ...claim,
    metadata: { ...stored, name: 'data', namespace: 'default', ...claim.metadata },
  }
  return new PodVolumes(pod as unknown as Pod, {
    claim: () => found as PersistentVolumeClaim | undefined,
    volume: (name) =>
      volumes.find(({ metadata }) => metadata?.name === name) as PersistentVolume | undefined,
    volumes: () => volumes as PersistentVolume[],
    storageClass: (name) => {
      const provisioner = name === 'local' ? 'kubernetes.io/no-provisioner' : 'example.com/p'
      const mode = modes[name]
      const metadata = { ...stored, name }
      return (mode && { metadata, provisioner, volumeBindingMode: mode }) as
        StorageClass | undefined
    },
  })
}

function asks(storageClassName: string): ClaimPart {
  return {
    spec: {
      storageClassName,
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Gi' } },
    },
  }
}

function volumeOf(name: string, storage: string, zone: string): Partial<PersistentVolume> {
  const expression = { key: 'zone', operator: 'In' as const, values: [zone] }
  return {
    metadata: { ...stored, name },
    spec: {
      storageClassName: 'local',
      accessModes: ['ReadWriteOnce'],
      capacity: { storage },
      nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [expression] }] } },
    },
    status: { phase: 'Available' },
  }
}

const bound = {
  metadata: { annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
  spec: { volumeName: 'pv-1' },
}

test.each([
  [undefined, 'persistentvolumeclaim "data" not found'],
  [asks('now'), 'pod has unbound immediate PersistentVolumeClaims'],
  [asks('unknown'), 'pod has unbound immediate PersistentVolumeClaims'],
  [asks('wait'), undefined],
  [bound, undefined],
  [
    { ...bound, status: { phase: 'Lost' as const } },
    'persistentvolumeclaim "data" bound to non-existent persistentvolume "pv-1"',
  ],
  [
    { ...bound, metadata: { deletionTimestamp: '2030-01-01T00:00:00Z' } },
    'persistentvolumeclaim "data" is being deleted',
  ],
])('reports for the claim %j: %s', (claim, problem) => {
  expect(volumesOf(claim).problem).toBe(problem)
})

const away = "node(s) didn't match PersistentVolume's node affinity"
const gone = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)'
const none = "node(s) didn't find available persistent volumes to bind"
const elsewhere = {
  ...asks('wait'),
  metadata: { annotations: { 'volume.kubernetes.io/selected-node': 'n2' } },
}

test.each([
  [bound, [], gone],
  [bound, [volumeOf('pv-1', '1Gi', 'b')], away],
  [bound, [volumeOf('pv-1', '1Gi', 'a')], undefined],
  [asks('local'), [], none],
  [asks('local'), [volumeOf('pv-1', '500Mi', 'a'), volumeOf('pv-2', '5Gi', 'b')], none],
  [asks('local'), [volumeOf('pv-1', '5Gi', 'a')], undefined],
  [asks('wait'), [], undefined],
  [elsewhere, [], none],
])('for the claim %j and the volumes %j, refuses the node because of: %s', (...row) => {
  const [claim, volumes, reason] = row
  expect(volumesOf(claim, volumes).fits(node)?.reasons[0]).toBe(reason)
})

test('takes the smallest volume that is large enough', () => {
  const volumes = [volumeOf('pv-1', '9Gi', 'a'), volumeOf('pv-2', '2Gi', 'a')]
  const steps = volumesOf(asks('local'), volumes).steps(node)
  expect(steps?.map(({ volume }) => volume?.metadata.name)).toEqual(['pv-2'])
})
