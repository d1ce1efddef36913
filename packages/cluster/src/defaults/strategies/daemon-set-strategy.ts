import type { JsonObject } from 'setpoint/schema'
import { metadataOf } from '../../object/index.ts'
import { valueAt } from './field-access.ts'
import type { ChangedObject, NewObject, Strategy } from './strategy.ts'
import { semanticEquals } from './semantic-equals.ts'

/** The template generation, which apps/v1 shows only as an annotation. */
const annotation = 'deprecated.daemonset.template.generation'

function counterOf(object: JsonObject): number {
  const value = Number(metadataOf(object).annotations?.[annotation])
  return Number.isInteger(value) ? value : 0
}

function setCounter(object: JsonObject, value: number): void {
  const metadata = metadataOf(object)
  metadata.annotations = { ...metadata.annotations, [annotation]: String(value) }
}

function onCreate({ object }: NewObject): void {
  setCounter(object, Math.max(counterOf(object), 1))
}

function onUpdate({ object, old }: ChangedObject): void {
  const template = ['spec', 'template']
  const isSame = semanticEquals(valueAt(object, template), valueAt(old, template))
  setCounter(object, counterOf(old) + (isSame ? 0 : 1))
}

/** Daemon sets. */
export const daemonSetStrategy: Strategy = {
  status: 'wiped',
  startsGeneration: true,
  generationOf: [['spec']],
  onCreate,
  onUpdate,
  onStatusUpdate: ({ object, old }) => {
    setCounter(object, counterOf(old))
  },
}
