import type { PersistentVolumeClaim } from 'setpoint/kinds'
import type { JsonObject } from 'setpoint/schema'
import { parseQuantity, type Quantity } from '../codec/index.ts'
import { namesMatch, type Counter } from './counter.ts'

const names = ['persistentvolumeclaims', 'requests.storage']
const ofClass = '.storageclass.storage.k8s.io/'
const oldAnnotation = 'volume.beta.kubernetes.io/storage-class'

function claimOf(object: JsonObject): Partial<PersistentVolumeClaim> {
  return object
}

/** The requested storage of a claim, or the allocated storage if that is more. */
function storageOf({ spec, status }: Partial<PersistentVolumeClaim>): Quantity | undefined {
  const requested = spec?.resources?.requests?.['storage']
  if (requested === undefined) return undefined
  const got = parseQuantity(status?.allocatedResources?.['storage'] ?? '0')
  const request = parseQuantity(requested).roundedUp(0)
  return got.cmp(request) > 0 ? got.roundedUp(0) : request
}

function attributesClasses({ spec, status }: Partial<PersistentVolumeClaim>): string[] {
  return [
    spec?.volumeAttributesClassName ?? '',
    status?.currentVolumeAttributesClassName ?? '',
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName ?? '',
  ].filter((name) => name !== '')
}

/** Claims count by their number and by their size, in total and per storage class. */
export const claimCounter: Counter = {
  // A real server compares pointers here, so that every status update counts as a change.
  counts: ({ operation, subresource }) =>
    (operation !== 'DELETE' && subresource === '') || subresource === 'status',
  isAbout: (name) =>
    name === 'count/persistentvolumeclaims' ||
    names.includes(name) ||
    names.some((each) => name.endsWith(ofClass + each)),
  usage(object) {
    const claim = claimOf(object)
    const one = parseQuantity('1')
    const storage = storageOf(claim)
    const annotated = claim.metadata?.annotations?.[oldAnnotation]
    const className = annotated ?? claim.spec?.storageClassName ?? ''
    const prefix = className + ofClass
    const usage = new Map([
      ['persistentvolumeclaims', one],
      ['count/persistentvolumeclaims', one],
    ])
    if (className !== '') usage.set(`${prefix}persistentvolumeclaims`, one)
    if (storage === undefined) return usage
    usage.set('requests.storage', storage)
    if (className !== '') usage.set(`${prefix}requests.storage`, storage)
    return usage
  },
  frees(old, object) {
    const [before, now] = [claimOf(old), claimOf(object)]
    const allocated = (claim: Partial<PersistentVolumeClaim>): string =>
      claim.status?.allocatedResources?.['storage'] ?? '0'
    return (
      allocated(before) !== allocated(now) ||
      attributesClasses(before).sort().join() !== attributesClasses(now).sort().join()
    )
  },
  matchesScope: (object, selector) =>
    selector.scopeName === 'VolumeAttributesClass' &&
    namesMatch(selector, attributesClasses(claimOf(object))),
}
