import * as z from 'zod'
import { defineResource, operator } from 'setpoint'
import { ConfigMap } from 'setpoint/kinds'
import type { World } from './world.ts'

/** A small resource in the API group of a test. */
export function widgetIn({ group }: Pick<World, 'group'>, text = z.string()) {
  return defineResource({
    group,
    version: 'v1',
    kind: 'Widget',
    spec: z.object({ text }),
    status: z.object({ seen: z.string().optional() }),
    conditions: ['Ready'],
  })
}

/** The result of `widgetIn`. */
export type WidgetDefinition = ReturnType<typeof widgetIn>

/** The manifest of a widget. */
export function widget(name: string, text = name) {
  return { metadata: { name }, spec: { text } }
}

/** One reconciled state of an object. */
interface ReconciledState {
  readonly name: string
  readonly generation: number
  readonly text: string
}

/**
 * An operator that records every state at the end of its reconcile. It has a child and a finalizer,
 * so that it must not miss a change or a deletion.
 */
export function recordingOperator(definition: WidgetDefinition) {
  const reconciled: ReconciledState[] = []
  const deleted: string[] = []
  const widgets = operator(definition)
    .child('config', ConfigMap, ({ spec }) => ({ data: { text: spec.text } }))
    .reconcile(async ({ metadata, spec }) => {
      reconciled.push({
        name: metadata.name,
        generation: metadata.generation ?? 0,
        text: spec.text,
      })
    })
    .onDelete(async ({ metadata }) => void deleted.push(metadata.name))
  return { widgets, reconciled, deleted }
}

/** The generations that a reconciled has of an object. */
export function generationsOf(reconciled: readonly ReconciledState[], name: string): number[] {
  return reconciled.filter((entry) => entry.name === name).map(({ generation }) => generation)
}
