import { conditionOf } from 'setpoint/kinds'
import type { HelmRelease } from './helm-release.ts'

/** Finds a HelmRelease by its key `namespace/name`. */
type Find = (key: string) => HelmRelease | undefined

/** Why a release has to wait for others; `undefined` if it does not. */
export interface Waiting {
  readonly reason: 'DependencyNotReady' | 'DependencyCycle'
  readonly message: string
}

/** The keys of the releases that a release depends on. */
export function dependenciesOf({ metadata, spec }: HelmRelease): string[] {
  return spec.dependsOn.map(({ name, namespace = metadata.namespace }) => `${namespace}/${name}`)
}

/** Whether a release waits for others: they are not ready, or depend on this one. */
export function waitingOf(release: HelmRelease, find: Find): Waiting | undefined {
  const own = `${release.metadata.namespace}/${release.metadata.name}`
  const cycle = pathTo(own, { from: release, find, seen: new Set() })
  if (cycle !== undefined) {
    const message = `dependsOn is a cycle: ${[own, ...cycle].join(' -> ')}`
    return { reason: 'DependencyCycle', message }
  }
  const missing = dependenciesOf(release).filter((key) => !isReady(find(key)))
  if (missing.length === 0) return undefined
  return { reason: 'DependencyNotReady', message: `waiting for HelmRelease ${missing.join(', ')}` }
}

/** The keys from a release to the one with this key. */
function pathTo(
  key: string,
  {
    from,
    find,
    seen,
  }: { readonly from: HelmRelease; readonly find: Find; readonly seen: Set<string> },
): string[] | undefined {
  for (const next of dependenciesOf(from)) {
    if (next === key) return [next]
    if (seen.has(next)) continue
    seen.add(next)
    const other = find(next)
    const rest = other && pathTo(key, { from: other, find, seen })
    if (rest !== undefined) return [next, ...rest]
  }
  return undefined
}

/** Whether a release is ready in its newest generation. */
function isReady(release: HelmRelease | undefined): boolean {
  if (release === undefined) return false
  const ready = conditionOf(release, 'Ready')
  return ready?.status === 'True' && ready.observedGeneration === release.metadata.generation
}
