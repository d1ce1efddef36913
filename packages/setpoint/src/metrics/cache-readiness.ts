import type { CacheHealth } from '../cache/index.ts'
import { isSetpointError } from '../errors/index.ts'
import type { ReadinessCheck } from './readiness-check.ts'

/**
 * How long a watch may be silent. The server sends a bookmark every minute, so two were missed; the
 * watch itself gives up a little later and is then broken.
 */
const silentMsMaxDefault = 150_000

/**
 * A check per kind: it has been listed, its watch is connected, and the server sends something. A
 * kind that is not served yet does not fail the check: the operator waits for it.
 */
export function cacheReadiness(
  caches: readonly CacheHealth[],
  options: { readonly silentMsMax?: number | undefined } = {},
): ReadinessCheck[] {
  const { silentMsMax = silentMsMaxDefault } = options
  const checks = new Map<string, ReadinessCheck>()
  for (const cache of caches) {
    if (cache.isOptional) continue
    const name = `cache ${checkName(cache, caches)}`
    const problem = checks.get(name)?.problem ?? problemOf(cache, silentMsMax)
    checks.set(name, { name, problem })
  }
  return [...checks.values()]
}

/** The plural, with the group only when another group has the same plural. */
function checkName({ kind }: CacheHealth, caches: readonly CacheHealth[]): string {
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

/**
 * Only the code of the error: its message may contain private data, and the port has no
 * authentication.
 */
function reasonOf({ state, lastError }: CacheHealth): string {
  if (state !== 'broken') return ''
  return isSetpointError(lastError) ? ` (${lastError.code})` : ''
}
