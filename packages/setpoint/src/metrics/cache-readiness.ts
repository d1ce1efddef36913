import type { CacheHealth } from '../cache/index.ts'
import { isSetpointError } from '../errors/index.ts'
import type { ReadinessCheck } from './readiness-check.ts'

/**
 * How long a server may be silent about a kind. It sends a bookmark a minute, so two have been missed; the
 * watch itself gives up a little later and then says that it is broken.
 */
const silentMsMaxDefault = 150_000

/**
 * A check per kind: it has been listed, its watch has a server, and the server says something. A kind that is not
 * served is in order: an operator may live without it, and waits for it.
 */
export function cacheReadiness(
  caches: readonly CacheHealth[],
  options: { readonly silentMsMax?: number | undefined } = {},
): ReadinessCheck[] {
  const { silentMsMax = silentMsMaxDefault } = options
  const checks = new Map<string, ReadinessCheck>()
  for (const cache of caches) {
    const name = `cache ${nameOf(cache, caches)}`
    const problem = checks.get(name)?.problem ?? problemOf(cache, silentMsMax)
    checks.set(name, { name, problem })
  }
  return [...checks.values()]
}

/** Its plural, with the group only when another group has kinds of that name. */
function nameOf({ kind }: CacheHealth, caches: readonly CacheHealth[]): string {
  const isAmbiguous = caches.some(
    (other) => other.kind.plural === kind.plural && other.kind.group !== kind.group,
  )
  return isAmbiguous && kind.group !== '' ? `${kind.plural}.${kind.group}` : kind.plural
}

function problemOf(health: CacheHealth, silentMsMax: number): string | undefined {
  const { state, isSynced, silentMs } = health
  const isSilent = silentMs > silentMsMax
  if (isSynced && (state === 'absent' || (state === 'live' && !isSilent))) return undefined
  const what = isSynced || state === 'broken' || state === 'stopped' ? state : 'syncing'
  return `${what}, silent for ${Math.round(silentMs / 1000)} s${reasonOf(health)}`
}

/** The code of the error only: its words may quote what is nobody's business. */
function reasonOf({ state, lastError }: CacheHealth): string {
  if (state !== 'broken') return ''
  return isSetpointError(lastError) ? ` (${lastError.code})` : ''
}
