import type { JsonObject } from 'setpoint/schema'
import { parseQuantity } from '../codec/index.ts'
import { metadataOf } from '../object/index.ts'
import type { ClusterReader } from './cluster-reader.ts'
import { isAbout, refusal, type Plugin } from './plugin.ts'

interface Claim {
  readonly spec?: {
    readonly storageClassName?: string
    readonly resources?: { readonly requests?: { readonly storage?: string } }
  }
  readonly status?: { readonly phase?: string }
}

const cannotGrow =
  'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize'

/** A claim can grow only when it is bound and its storage class allows volume expansion. */
export function claimResize(cluster: ClusterReader): Plugin {
  return {
    name: 'PersistentVolumeClaimResize',
    validate(attributes) {
      const { operation, object, old } = attributes
      if (operation !== 'UPDATE' || old === undefined) return
      if (!isAbout(attributes, '', 'persistentvolumeclaims')) return
      if (sizeOf(object).cmp(sizeOf(old)) <= 0) return
      if ((old as Claim).status?.phase !== 'Bound') {
        throw refusal(attributes, 'Only bound persistent volume claims can be expanded')
      }
      const name = classOf(object)
      const storageClass =
        name === '' ? undefined : cluster.get('storage.k8s.io/storageclasses', name)
      if (name !== classOf(old) || storageClass?.['allowVolumeExpansion'] !== true) {
        throw refusal(attributes, cannotGrow)
      }
    },
  }
}

function sizeOf(object: JsonObject): ReturnType<typeof parseQuantity> {
  return parseQuantity((object as Claim).spec?.resources?.requests?.storage ?? '0')
}

/** The annotation is older than the field. */
function classOf(object: JsonObject): string {
  const annotation = metadataOf(object).annotations?.['volume.beta.kubernetes.io/storage-class']
  return annotation ?? (object as Claim).spec?.storageClassName ?? ''
}
