import type { CSIDriver, PriorityClass, StorageClass } from 'setpoint/kinds'
import { inPackage, typed, type TypeDefaults } from '../type-defaults.ts'

function fillDriver({ spec }: CSIDriver): void {
  spec.attachRequired ??= true
  spec.podInfoOnMount ??= false
  spec.storageCapacity ??= false
  spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType'
  if ((spec.volumeLifecycleModes ?? []).length === 0) spec.volumeLifecycleModes = ['Persistent']
  spec.requiresRepublish ??= false
  spec.seLinuxMount ??= false
}

function fillStorageClass(storageClass: StorageClass): void {
  storageClass.reclaimPolicy ??= 'Delete'
  storageClass.volumeBindingMode ??= 'Immediate'
}

/** The groups storage.k8s.io and scheduling.k8s.io. */
export const storageDefaults: TypeDefaults = {
  ...inPackage('k8s.io.api.storage.v1', {
    CSIDriver: typed<CSIDriver>(fillDriver),
    StorageClass: typed<StorageClass>(fillStorageClass),
  }),
  ...inPackage('k8s.io.api.scheduling.v1', {
    PriorityClass: typed<PriorityClass>((priorityClass) => {
      priorityClass.preemptionPolicy ??= 'PreemptLowerPriority'
    }),
  }),
}
