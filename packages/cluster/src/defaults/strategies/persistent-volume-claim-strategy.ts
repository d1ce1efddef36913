import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from 'setpoint/kinds'
import type { JsonObject } from 'setpoint/schema'
import { objectAt } from './field-access.ts'
import type { ChangedObject, NewObject, Strategy } from './strategy.ts'

function isClaimOrSnapshot(source: NonNullable<PersistentVolumeClaimSpec['dataSource']>): boolean {
  const { apiGroup, kind } = source as { apiGroup?: string | null; kind: string }
  if ((apiGroup ?? '') === '') return kind === 'PersistentVolumeClaim'
  return apiGroup === 'snapshot.storage.k8s.io' && kind === 'VolumeSnapshot'
}

/**
 * `dataSource` and the newer `dataSourceRef` are kept equal; the older one supports only two kinds.
 */
function alignDataSources(
  spec: PersistentVolumeClaimSpec,
  before?: PersistentVolumeClaimSpec,
): void {
  const { dataSource, dataSourceRef } = spec
  const isNew = before?.dataSource === undefined
  // Sources in other namespaces need a feature gate that is off.
  if ((dataSourceRef?.namespace ?? '') !== '' && before?.dataSourceRef === undefined) {
    delete spec.dataSourceRef
  }
  if (isNew && spec.dataSourceRef === undefined && dataSource !== undefined) {
    if (!isClaimOrSnapshot(dataSource)) delete spec.dataSource
  }
  if (spec.dataSource !== undefined) spec.dataSourceRef ??= { ...spec.dataSource }
  else if (spec.dataSourceRef !== undefined && (spec.dataSourceRef.namespace ?? '') === '') {
    const { namespace: _namespace, ...source } = spec.dataSourceRef
    spec.dataSource = source
  }
}

function onCreate({ object }: NewObject): void {
  const { spec } = object as unknown as PersistentVolumeClaim
  alignDataSources(spec)
}

function onUpdate({ object, old }: ChangedObject): void {
  const { spec } = object as unknown as PersistentVolumeClaim
  alignDataSources(spec, (old as unknown as PersistentVolumeClaim).spec)
}

/** The phase of a new claim is a default that only reads apply. */
export function pendingByDefault(claim: JsonObject): JsonObject | undefined {
  const status = objectAt(claim, 'status')
  return status['phase'] === undefined
    ? { ...claim, status: { ...status, phase: 'Pending' } }
    : undefined
}

export const persistentVolumeClaimStrategy: Strategy = {
  status: 'wiped',
  onCreate,
  onUpdate,
}
