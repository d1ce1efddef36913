import type { JsonObject } from 'setpoint/schema'
import { defaultGraceSeconds } from '../../object/index.ts'

/** The grace period of a pod in seconds; 0 when none of its containers can be running. */
export function podGraceSeconds(pod: JsonObject, asked: number | undefined): number {
  const spec = pod['spec'] as
    { nodeName?: string; terminationGracePeriodSeconds?: number } | undefined
  const status = pod['status'] as { phase?: string } | undefined
  if ((spec?.nodeName ?? '') === '') return 0
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return 0
  const seconds = asked ?? spec?.terminationGracePeriodSeconds ?? defaultGraceSeconds
  return seconds < 0 ? 1 : seconds
}
