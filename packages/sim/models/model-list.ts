import { firstOfTwoGuard } from './crash/m01-first-of-two-guard.ts'
import { firstOfTwoCertificates } from './crash/m02-first-of-two-certificates.ts'
import { restartFlagAfterConfig } from './crash/m03-restart-flag-after-config.ts'
import { twoStatusWrites } from './crash/m04-two-status-writes.ts'
import { resizeGuardedByTemplate } from './crash/m05-resize-guarded-by-template.ts'
import { phasePersistedLast } from './crash/m06-phase-persisted-last.ts'
import type { Model } from './model.ts'

/** The benchmark: historical bugs of operators, each with its fix. */
export const models: readonly Model[] = [
  firstOfTwoGuard,
  firstOfTwoCertificates,
  restartFlagAfterConfig,
  twoStatusWrites,
  resizeGuardedByTemplate,
  phasePersistedLast,
]
