import type {
  AzureDiskVolumeSource,
  HostPathVolumeSource,
  ImageVolumeSource,
  RBDVolumeSource,
  ScaleIOVolumeSource,
  ServiceAccountTokenProjection,
  Volume,
} from 'setpoint/kinds'
import { followsLatest } from '../image-tag.ts'
import { inPackage, typed, type TypeDefaults } from '../type-defaults.ts'

/** 0644: readable by all, writable by the owner. */
const fileMode = 0o644

const fillMode = typed<{ defaultMode?: number }>((source) => {
  source.defaultMode ??= fileMode
})

function fillVolume(volume: Volume): void {
  // A volume without a source is an empty directory.
  if (Object.keys(volume).every((key) => key === 'name')) volume.emptyDir = {}
}

const fillRbd = typed<RBDVolumeSource>((source) => {
  source.pool ??= 'rbd'
  source.user ??= 'admin'
  source.keyring ??= '/etc/ceph/keyring'
})

const fillScaleIo = typed<ScaleIOVolumeSource>((source) => {
  source.storageMode ??= 'ThinProvisioned'
  source.fsType ??= 'xfs'
})

const fillIscsi = typed<{ iscsiInterface?: string }>((source) => {
  source.iscsiInterface ??= 'default'
})

function fillAzureDisk(source: AzureDiskVolumeSource): void {
  source.cachingMode ??= 'ReadWrite'
  source.fsType ??= 'ext4'
  source.readOnly ??= false
  source.kind ??= 'Shared'
}

/** Volume sources of pods and of persistent volumes. */
export const volumeDefaults: TypeDefaults = inPackage('k8s.io.api.core.v1', {
  Volume: typed<Volume>(fillVolume),
  ImageVolumeSource: typed<ImageVolumeSource>((source) => {
    source.pullPolicy ??= followsLatest(source.reference) ? 'Always' : 'IfNotPresent'
  }),
  SecretVolumeSource: fillMode,
  ConfigMapVolumeSource: fillMode,
  DownwardAPIVolumeSource: fillMode,
  ProjectedVolumeSource: fillMode,
  ServiceAccountTokenProjection: typed<ServiceAccountTokenProjection>((projection) => {
    projection.expirationSeconds ??= 3600
  }),
  HostPathVolumeSource: typed<HostPathVolumeSource>((source) => {
    source.type ??= ''
  }),
  RBDVolumeSource: fillRbd,
  RBDPersistentVolumeSource: fillRbd,
  ScaleIOVolumeSource: fillScaleIo,
  ScaleIOPersistentVolumeSource: fillScaleIo,
  ISCSIVolumeSource: fillIscsi,
  ISCSIPersistentVolumeSource: fillIscsi,
  AzureDiskVolumeSource: typed<AzureDiskVolumeSource>(fillAzureDisk),
})
