import { isTerminating } from '../is-terminating.ts'
import { type ExactKind, withHelpers } from '../define-kind.ts'
import {
  PersistentVolumeClaim as PlainClaim,
  type PersistentVolumeClaim as ClaimObject,
} from '../generated/core-v1.ts'
import type { Observed } from './observed.ts'
import { beingDeleted, done, isSet, notCreated, waiting, type Readiness } from './readiness.ts'

/** Asks for storage; becomes usable once it is bound to a volume. */
export type PersistentVolumeClaim = ClaimObject

const helpers = {
  /** Whether a volume is bound; it stays so while the claim is terminating but still in use. */
  isBound(claim: Observed<ClaimObject> | undefined): boolean {
    return binding(claim).isDone
  },
  /** The state of the claim: `waiting for a volume of class fast`. */
  progress(claim: Observed<ClaimObject> | undefined): string {
    return binding(claim).words
  },
}

/** The type of the value `PersistentVolumeClaim`. */
export interface PersistentVolumeClaimKind
  extends ExactKind<ClaimObject>, Readonly<typeof helpers> {}

/** The kind of PersistentVolumeClaims, with `isBound` and `progress`. */
export const PersistentVolumeClaim: PersistentVolumeClaimKind = /* @__PURE__ */ withHelpers(
  PlainClaim,
  helpers,
)

function binding(claim: Observed<ClaimObject> | undefined): Readiness {
  if (claim === undefined) return waiting(notCreated)
  const isDeleted = isTerminating(claim)
  const volume = claim.spec?.volumeName ?? ''
  // The server stores any string as a phase, although the type is an enum.
  const phase: string = claim.status?.phase ?? ''
  switch (phase) {
    case 'Bound': {
      const bound = volume === '' ? 'bound' : `bound to volume ${volume}`
      return done(isDeleted ? `${bound}, ${beingDeleted}` : bound)
    }
    case 'Lost':
      return waiting(
        `${volume === '' ? 'its volume' : `volume ${volume}`} is lost, and its data with it`,
      )
    case 'Pending':
    case '':
      return waiting(isDeleted ? beingDeleted : `waiting for ${desiredVolume(claim)}`)
    default:
      return waiting(`in the unknown phase ${phase}`)
  }
}

function desiredVolume({ spec }: Observed<ClaimObject>): string {
  if (isSet(spec?.volumeName) && spec.volumeName !== '') return `volume ${spec.volumeName}`
  // An empty class is a choice: only volumes without a class, and none is provisioned for it.
  if (spec?.storageClassName === '') return 'a volume without a class'
  return isSet(spec?.storageClassName) ? `a volume of class ${spec.storageClassName}` : 'a volume'
}
