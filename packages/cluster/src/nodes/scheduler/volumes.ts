import { ownValue } from '../../object/index.ts'
import type { Frozen } from 'setpoint'
import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  selects,
  type StorageClass,
} from 'setpoint/kinds'
import { parseQuantity } from '../../codec/index.ts'
import { isTerminating } from '../../object/index.ts'
import type { PodView } from '../behaviour/index.ts'
import type { VolumeRequirements } from './choose-node.ts'
import { matchesAnyTerm, type NodeView } from '../../controllers/placement/node-selector.ts'
import { type FilterFailure, filterFailure } from './filter-failure.ts'

type Claim = Frozen<PersistentVolumeClaim>
type Volume = Frozen<PersistentVolume>

interface VolumeReader {
  readonly claim: (namespace: string, name: string) => Claim | undefined
  readonly volume: (name: string) => Volume | undefined
  readonly volumes: () => readonly Volume[]
  readonly storageClass: (name: string) => Frozen<StorageClass> | undefined
}

/**
 * A preparation of a claim before its pod can run on a node: bind an existing volume, or request a
 * new one.
 */
export interface ClaimStep {
  readonly claim: Claim
  readonly volume: Volume | undefined
}

/** The annotation with the node for a provisioner. */
export const selectedNodeAnnotation = 'volume.kubernetes.io/selected-node'

const noProvisioner = 'kubernetes.io/no-provisioner'

/** The requirements of a pod's volumes, and the preparations for a node. */
export class PodVolumes implements VolumeRequirements {
  readonly problem: string | undefined
  readonly #reader: VolumeReader
  readonly #bound: Claim[] = []
  readonly #delayed: Claim[] = []

  constructor(pod: PodView, reader: VolumeReader) {
    this.#reader = reader
    this.problem = this.#sort(pod)
  }

  /** Whether no preparation is needed. */
  get areReady(): boolean {
    return this.problem === undefined && this.#delayed.length === 0
  }

  /** Why the pod cannot run on a node because of its volumes. */
  fits(node: NodeView): FilterFailure | undefined {
    for (const { spec } of this.#bound) {
      const volume = this.#reader.volume(spec.volumeName ?? '')
      if (volume === undefined) {
        return filterFailure(
          'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)',
        )
      }
      if (!isReachable(volume, node)) {
        return filterFailure("node(s) didn't match PersistentVolume's node affinity")
      }
    }
    return this.steps(node) === undefined
      ? filterFailure("node(s) didn't find available persistent volumes to bind")
      : undefined
  }

  /** The preparations of the claims for a node; `undefined` if it is not possible. */
  steps(node: NodeView): readonly ClaimStep[] | undefined {
    const steps: ClaimStep[] = []
    const taken = new Set<string>()
    for (const claim of this.#delayed) {
      const selected = claim.metadata.annotations?.[selectedNodeAnnotation]
      if (selected !== undefined && selected !== node.metadata.name) return undefined
      const volume = selected === undefined ? this.#match(claim, node, taken) : undefined
      if (volume === undefined && !this.#isProvisionable(claim, node)) return undefined
      if (volume !== undefined) taken.add(volume.metadata.name)
      steps.push({ claim, volume })
    }
    return steps
  }

  #sort({ metadata, spec }: PodView): string | undefined {
    let hasUnbound = false
    for (const { name, persistentVolumeClaim, ephemeral } of spec.volumes ?? []) {
      if (persistentVolumeClaim === undefined && ephemeral === undefined) continue
      const claimName = persistentVolumeClaim?.claimName ?? `${metadata.name}-${name}`
      const claim = this.#reader.claim(metadata.namespace, claimName)
      const quoted = JSON.stringify(claimName)
      if (claim === undefined) {
        return ephemeral === undefined
          ? `persistentvolumeclaim ${quoted} not found`
          : `waiting for ephemeral volume controller to create the persistentvolumeclaim ${quoted}`
      }
      if (claim.status?.phase === 'Lost') {
        const gone = JSON.stringify(claim.spec.volumeName ?? '')
        return `persistentvolumeclaim ${quoted} bound to non-existent persistentvolume ${gone}`
      }
      if (isTerminating(claim)) {
        return `persistentvolumeclaim ${quoted} is being deleted`
      }
      if (isBound(claim)) this.#bound.push(claim)
      else if (this.#isDelayed(claim)) this.#delayed.push(claim)
      else hasUnbound = true
    }
    return hasUnbound ? 'pod has unbound immediate PersistentVolumeClaims' : undefined
  }

  #isDelayed({ spec }: Claim): boolean {
    const found = this.#reader.storageClass(spec.storageClassName ?? '')
    return (spec.volumeName ?? '') === '' && found?.volumeBindingMode === 'WaitForFirstConsumer'
  }

  #isProvisionable({ spec }: Claim, node: NodeView): boolean {
    const { provisioner = noProvisioner, allowedTopologies = [] } =
      this.#reader.storageClass(spec.storageClassName ?? '') ?? {}
    if (provisioner === noProvisioner) return false
    const { labels = {} } = node.metadata
    return (
      allowedTopologies.length === 0 ||
      allowedTopologies.some(({ matchLabelExpressions = [] }) =>
        matchLabelExpressions.every(({ key, values }) =>
          values.includes(ownValue(labels, key) ?? ''),
        ),
      )
    )
  }

  /** The smallest volume that fits. */
  #match(claim: Claim, node: NodeView, taken: ReadonlySet<string>): Volume | undefined {
    const fitting = this.#reader
      .volumes()
      .filter(
        (volume) =>
          !taken.has(volume.metadata.name) && fitsClaim(volume, claim) && isReachable(volume, node),
      )
    return fitting.sort((a, b) => sizeOf(a).cmp(sizeOf(b)))[0]
  }
}

function isBound({ spec, metadata }: Claim): boolean {
  const isCompleted = metadata.annotations?.['pv.kubernetes.io/bind-completed'] !== undefined
  return (spec.volumeName ?? '') !== '' && isCompleted
}

function isReachable({ spec }: Volume, node: NodeView): boolean {
  const terms = spec.nodeAffinity?.required?.nodeSelectorTerms
  return terms === undefined || matchesAnyTerm(terms, node)
}

function fitsClaim(volume: Volume, { metadata, spec = {} }: Claim): boolean {
  const {
    claimRef,
    storageClassName = '',
    accessModes = [],
    volumeMode = 'Filesystem',
  } = volume.spec
  if (claimRef !== undefined) return claimRef.uid === metadata.uid
  return (
    volume.status?.phase === 'Available' &&
    storageClassName === (spec.storageClassName ?? '') &&
    volumeMode === (spec.volumeMode ?? 'Filesystem') &&
    (spec.accessModes ?? []).every((mode) => accessModes.includes(mode)) &&
    (spec.selector === undefined || selects(spec.selector, volume.metadata.labels)) &&
    sizeOf(volume).cmp(parseQuantity(spec.resources?.requests?.['storage'] ?? '0')) >= 0
  )
}

function sizeOf({ spec }: Volume): ReturnType<typeof parseQuantity> {
  return parseQuantity(spec.capacity?.['storage'] ?? '0')
}
