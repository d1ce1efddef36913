import { autoscaledReplicas } from './autoscaled-replicas.ts'
import { blueGreen } from './blue-green.ts'
import { heartbeat } from './heartbeat.ts'
import { keptVolumes } from './kept-volumes.ts'
import { leaderHandover } from './leader-handover.ts'
import { neverSchedulable } from './never-schedulable.ts'
import type { NoAlarm } from './no-alarm.ts'
import { randomJobNames } from './random-job-names.ts'
import { refusedDowngrade } from './refused-downgrade.ts'
import { secretRotation } from './secret-rotation.ts'
import { slowExternalSystem } from './slow-external-system.ts'

/** Correct operators that do something unusual: none of them must cause a finding. */
export const noFalseAlarms: readonly NoAlarm[] = [
  keptVolumes,
  secretRotation,
  leaderHandover,
  randomJobNames,
  heartbeat,
  blueGreen,
  autoscaledReplicas,
  slowExternalSystem,
  refusedDowngrade,
  neverSchedulable,
]
