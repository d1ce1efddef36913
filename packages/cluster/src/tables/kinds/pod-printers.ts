import type { JsonObject, JsonValue } from 'setpoint/schema'
import { isTerminating, nameOf } from '../../object/index.ts'
import { ageOf } from '../age.ts'
import { podProgress } from './pod-progress.ts'
import type { Pod } from './pod-shape.ts'
import type { CellPrinters } from '../row-printer.ts'

export const podPrinters: CellPrinters = { '/pods': podCells }

const completed = { type: 'Completed', status: 'True' } as const
const succeeded: readonly JsonObject[] = [
  { ...completed, reason: 'Succeeded', message: 'The pod has completed successfully.' },
]
const failed: readonly JsonObject[] = [
  { ...completed, reason: 'Failed', message: 'The pod failed.' },
]

/** Marks finished pods. */
export function podConditions(object: JsonObject): readonly JsonObject[] | undefined {
  const phase = (object as unknown as Pod).status?.phase
  return phase === 'Succeeded' ? succeeded : phase === 'Failed' ? failed : undefined
}

function podCells(object: JsonObject, nowMs: number): JsonValue[] {
  const pod = object as unknown as Pod
  const { reason, ready, total, restarts } = podProgress(pod)
  return [
    nameOf(object),
    `${ready}/${total}`,
    isTerminating(object) ? reasonWhileDeleting(pod, reason) : reason,
    restarts.text(nowMs),
    ageOf(object, nowMs),
    orNone(pod.status?.podIPs?.[0]?.ip),
    orNone(pod.spec?.nodeName),
    orNone(pod.status?.nominatedNodeName),
    readinessGates(pod),
  ]
}

function reasonWhileDeleting({ status }: Pod, reason: string): string {
  if (status?.reason === 'NodeLost') return 'Unknown'
  const hasEnded = status?.phase === 'Succeeded' || status?.phase === 'Failed'
  return hasEnded ? reason : 'Terminating'
}

function orNone(text: string | undefined): string {
  return text === undefined || text === '' ? '<none>' : text
}

function readinessGates({ spec, status }: Pod): string {
  const gates = spec?.readinessGates ?? []
  if (gates.length === 0) return '<none>'
  const open = gates.filter(({ conditionType }) => {
    const condition = status?.conditions?.find(({ type }) => type === conditionType)
    return condition?.status === 'True'
  })
  return `${open.length}/${gates.length}`
}
