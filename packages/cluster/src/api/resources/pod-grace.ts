import type { JsonObject } from 'setpoint/schema'

/** How long a pod may take to stop; 0 when nothing runs that would have to. */
export function podGraceSeconds(pod: JsonObject, asked: number | undefined): number {
  const spec = pod['spec'] as
    { nodeName?: string; terminationGracePeriodSeconds?: number } | undefined
  const status = pod['status'] as { phase?: string } | undefined
  if ((spec?.nodeName ?? '') === '') return 0
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return 0
  const seconds = asked ?? spec?.terminationGracePeriodSeconds ?? 30
  return seconds < 0 ? 1 : seconds
}
