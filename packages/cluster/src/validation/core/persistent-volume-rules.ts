import type { PersistentVolume } from 'setpoint/kinds'
import type { Decoded } from '../go/decoded.ts'
import type { FieldPath } from '../go/field-path.ts'
import { printStruct } from '../go/go-struct.ts'
import { checkedKind, type Updated } from '../kind-rules.ts'
import { nameRules } from '../fields/name-rule.ts'
import { labelValueProblems } from '../fields/name-rules.ts'
import { checkImmutable } from '../object-meta.ts'
import { checkVolumeSpec, type VolumeSpec } from './persistent-volume-spec.ts'
import { structDiff } from '../pod/pod-update.ts'
import { sameValue } from '../fields/same-value.ts'

const notSources = new Set([
  'accessModes',
  'capacity',
  'claimRef',
  'mountOptions',
  'nodeAffinity',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'volumeAttributesClassName',
  'volumeMode',
])

function sourceOf(spec: VolumeSpec): Partial<VolumeSpec> {
  return Object.fromEntries(Object.entries(spec).filter(([field]) => !notSources.has(field)))
}

/** A secret for expansion may be added later. */
function withoutAddedSecret(spec: VolumeSpec, old: VolumeSpec): VolumeSpec {
  const { csi } = spec
  if (csi === undefined || old.csi === undefined) return spec
  if (old.csi.controllerExpandSecretRef !== undefined) return spec
  const { controllerExpandSecretRef: _added, ...rest } = csi
  return { ...spec, csi: rest }
}

function checkUpdate({ object, old, at }: Updated<PersistentVolume>): void {
  const { spec = {} } = object
  const { spec: oldSpec = {} } = old
  const [source, before] = [sourceOf(withoutAddedSecret(spec, oldSpec)), sourceOf(oldSpec)]
  if (!sameValue(source, before)) {
    const diff = structDiff(before, source, 'PersistentVolumeSource')
    const words = 'spec.persistentvolumesource is immutable after creation'
    at.child('spec', 'persistentvolumesource').forbidden(`${words}\n${diff}`)
  }
  checkImmutable(spec.volumeMode, oldSpec.volumeMode, at.child('volumeMode'))
  const { nodeAffinity } = spec
  if (oldSpec.nodeAffinity !== undefined && !sameValue(nodeAffinity, oldSpec.nodeAffinity)) {
    if (!sameValue(nodeAffinity, withStableLabels(oldSpec.nodeAffinity))) {
      const printed =
        nodeAffinity === undefined ? 'null' : printStruct(nodeAffinity, 'VolumeNodeAffinity')
      const detail = 'field is immutable, except for updating from beta label to GA'
      at.child('nodeAffinity').invalidPrinted(printed, detail)
    }
  }
  if (
    oldSpec.volumeAttributesClassName !== undefined &&
    spec.volumeAttributesClassName === undefined
  ) {
    const place = at.child('spec', 'volumeAttributesClassName')
    place.forbidden('update from non-nil value to nil is forbidden')
  }
}

const stableLabels: Readonly<Record<string, string>> = {
  'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
  'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
}

function withStableLabels(
  affinity: NonNullable<VolumeSpec['nodeAffinity']>,
): NonNullable<VolumeSpec['nodeAffinity']> {
  const terms = affinity.required?.nodeSelectorTerms?.map((term) => ({
    ...term,
    ...(term.matchExpressions === undefined
      ? {}
      : {
          matchExpressions: term.matchExpressions.map((requirement) => ({
            ...requirement,
            key: stableLabels[requirement.key ?? ''] ?? requirement.key ?? '',
          })),
        }),
  }))
  return { required: terms === undefined ? {} : { nodeSelectorTerms: terms } }
}

function hasInvalidAffinityValues({ nodeAffinity }: VolumeSpec): boolean {
  const terms = nodeAffinity?.required?.nodeSelectorTerms ?? []
  return terms.some(({ matchExpressions = [] }) =>
    matchExpressions.some(({ values = [] }) =>
      values.some((value) => labelValueProblems(value).length > 0),
    ),
  )
}

const mountOptions = 'volume.beta.kubernetes.io/mount-options'
const mountable = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
] as const

/** The deprecated annotation with mount options is only for volumes that can be mounted. */
function checkMountOptions({ metadata, spec = {} }: Decoded<PersistentVolume>, at: FieldPath) {
  if (mountable.some((source) => spec[source] !== undefined)) return
  if (!Object.hasOwn(metadata?.annotations ?? {}, mountOptions)) return
  const place = at.child('metadata', 'annotations', mountOptions)
  place.forbidden('may not specify mount options for this volume type')
}

/** The rules of PersistentVolumes. */
export const persistentVolumeRules = checkedKind<PersistentVolume>({
  group: '',
  kind: 'PersistentVolume',
  resource: 'persistentvolumes',
  namespaced: false,
  nameRule: nameRules.subdomain,
  create({ object, at, checkMetadata }) {
    checkMetadata()
    checkVolumeSpec(object.spec ?? {}, at.child('spec'), { name: object.metadata?.name ?? '' })
    checkMountOptions(object, at)
  },
  update(updated) {
    const { object, old, at } = updated
    const check = () => {
      updated.checkMetadata()
      checkVolumeSpec(object.spec ?? {}, at.child('spec'), {
        name: object.metadata?.name ?? '',
        allowInvalidNodeAffinityValues: hasInvalidAffinityValues(old.spec ?? {}),
      })
    }
    check()
    checkMountOptions(object, at)
    // A real server checks this twice and reports both errors.
    check()
    checkUpdate(updated)
  },
  subresources: {
    status({ object, at, checkMetadataUpdate }) {
      checkMetadataUpdate()
      if ((object.metadata?.resourceVersion ?? '') === '') at.child('resourceVersion').required()
    },
  },
})
