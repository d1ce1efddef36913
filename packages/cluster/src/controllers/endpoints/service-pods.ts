import type { CacheView, Frozen, IndexAccess, ObjectIndex } from 'setpoint'
import { Service, selects } from 'setpoint/kinds'
import type { PodObject } from '../pods/pod-state.ts'

/** The index that finds services by a label that they select. */
type SelectorIndex = { readonly selector: ObjectIndex<string, string> }

/** The index entry of a service: one label that all pods it selects have. */
export function selectorPairs({ metadata, spec }: Frozen<Service>): (readonly [string, string])[] {
  const [first] = Object.entries(spec.selector ?? {})
  return first === undefined ? [] : [[labelKey(metadata.namespace, ...first), metadata.name]]
}

/** The keys of the services that select a pod. */
export function servicesOf(
  { metadata: { namespace, labels = {} } }: PodObject,
  view: CacheView<typeof Service> & IndexAccess<SelectorIndex>,
): string[] {
  const names = Object.entries(labels).flatMap(([name, value]) => [
    ...view.index('selector').get(labelKey(namespace, name, value)),
  ])
  const keys = names.map((name) => `${namespace}/${name}`)
  return keys.filter((key) => selects(view.get(Service, key)?.spec.selector, labels))
}

function labelKey(namespace: string, name: string, value: string): string {
  return `${namespace} ${name}=${value}`
}
