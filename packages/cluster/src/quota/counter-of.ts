import { claimCounter } from './claim-counter.ts'
import type { Counter } from './counter.ts'
import { podCounter } from './pod-counter.ts'
import { quantitiesOf } from './quantities.ts'
import { serviceCounter } from './service-counter.ts'

const ignored = new Set(['/bindings', '/events', 'events.k8s.io/events'])
const aliases: Readonly<Record<string, string>> = {
  '/configmaps': 'configmaps',
  '/resourcequotas': 'resourcequotas',
  '/replicationcontrollers': 'replicationcontrollers',
  '/secrets': 'secrets',
}
const particular: Readonly<Record<string, Counter>> = {
  '/pods': podCounter,
  '/services': serviceCounter,
  '/persistentvolumeclaims': claimCounter,
}

/** How a resource counts; undefined for resources that quotas ignore. */
export function counterOf(group: string, plural: string): Counter | undefined {
  const key = `${group}/${plural}`
  if (ignored.has(key) || /^auth(?:entication|orization)\.k8s\.io$/.test(group)) return undefined
  if (Object.hasOwn(particular, key)) return particular[key]
  const names = [`count/${plural}${group === '' ? '' : `.${group}`}`]
  const alias = Object.hasOwn(aliases, key) ? aliases[key] : undefined
  if (alias !== undefined) names.push(alias)
  const one = quantitiesOf(Object.fromEntries(names.map((name) => [name, '1'])))
  return {
    counts: ({ operation, subresource }) => operation === 'CREATE' && subresource === '',
    isAbout: (name) => names.includes(name),
    usage: () => one,
  }
}
