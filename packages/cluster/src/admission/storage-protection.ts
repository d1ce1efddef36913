import { metadataOf } from '../object/index.ts'
import type { Plugin } from './plugin.ts'

const protectedKinds: Readonly<Record<string, string>> = {
  '/persistentvolumeclaims': 'kubernetes.io/pvc-protection',
  '/persistentvolumes': 'kubernetes.io/pv-protection',
  'storage.k8s.io/volumeattributesclasses': 'kubernetes.io/vac-protection',
}

/** Adds the finalizers that keep volumes and claims while they are used. */
export const storageProtection: Plugin = {
  name: 'StorageObjectInUseProtection',
  mutate({ operation, resource, subresource, object }) {
    const finalizer = protectedKinds[`${resource.group}/${resource.plural}`]
    if (operation !== 'CREATE' || subresource !== '' || finalizer === undefined) return
    const metadata = metadataOf(object)
    if (metadata.finalizers?.includes(finalizer) === true) return
    metadata.finalizers = [...(metadata.finalizers ?? []), finalizer]
  },
}
