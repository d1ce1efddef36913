import { firstOfTwoGuard } from './crash/m01-first-of-two-guard.ts'
import { firstOfTwoCertificates } from './crash/m02-first-of-two-certificates.ts'
import { restartFlagAfterConfig } from './crash/m03-restart-flag-after-config.ts'
import { twoStatusWrites } from './crash/m04-two-status-writes.ts'
import { resizeGuardedByTemplate } from './crash/m05-resize-guarded-by-template.ts'
import { phasePersistedLast } from './crash/m06-phase-persisted-last.ts'
import { startOnce } from './crash/m07-start-once.ts'
import { parentExists } from './crash/m08-parent-exists.ts'
import { claimsByName } from './stale/m09-claims-by-name.ts'
import { claimOfTerminatingPod } from './stale/m10-claim-of-terminating-pod.ts'
import { setByName } from './stale/m11-set-by-name.ts'
import { resizeInAnyDirection } from './stale/m12-resize-in-any-direction.ts'
import { budgetReplaced } from './stale/m13-budget-replaced.ts'
import { claimsBeyondOldSize } from './stale/m14-claims-beyond-old-size.ts'
import { switchedOffComponent } from './stale/m15-switched-off-component.ts'
import { softOwnedSecrets } from './stale/m16-soft-owned-secrets.ts'
import { randomPodNames } from './stale/m17-random-pod-names.ts'
import { secondDisruption } from './stale/m18-second-disruption.ts'
import { claimOfSeenPod } from './unseen/m19-claim-of-seen-pod.ts'
import { decreaseIgnored } from './unseen/m20-decrease-ignored.ts'
import { oneStepOnly } from './unseen/m21-one-step-only.ts'
import { ensureAfterFinalizer } from './transitions/m22-ensure-after-finalizer.ts'
import { lastOfList } from './transitions/m23-last-of-list.ts'
import { collidingNames } from './transitions/m24-colliding-names.ts'
import { annotationsMerged } from './transitions/m25-annotations-merged.ts'
import { neverPruned } from './transitions/m26-never-pruned.ts'
import { waitsUntilHealthy } from './transitions/m27-waits-until-healthy.ts'
import { reusedVolume } from './transitions/m28-reused-volume.ts'
import { silentRefusal } from './transitions/m29-silent-refusal.ts'
import { partialParsing } from './transitions/m30-partial-parsing.ts'
import type { Model } from './model.ts'

/** The benchmark: historical bugs of operators, each with its fix. */
export const models: readonly Model[] = [
  firstOfTwoGuard,
  firstOfTwoCertificates,
  restartFlagAfterConfig,
  twoStatusWrites,
  resizeGuardedByTemplate,
  phasePersistedLast,
  startOnce,
  parentExists,
  claimsByName,
  claimOfTerminatingPod,
  setByName,
  resizeInAnyDirection,
  budgetReplaced,
  claimsBeyondOldSize,
  switchedOffComponent,
  softOwnedSecrets,
  randomPodNames,
  secondDisruption,
  claimOfSeenPod,
  decreaseIgnored,
  oneStepOnly,
  ensureAfterFinalizer,
  lastOfList,
  collidingNames,
  annotationsMerged,
  neverPruned,
  waitsUntilHealthy,
  reusedVolume,
  silentRefusal,
  partialParsing,
]
