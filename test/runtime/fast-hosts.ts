import type { Host } from 'setpoint/host'

/** A host with shorter timers, for tests that would take too long on real sockets. */
export function fastClockHost(host: Host, rate: number): Host {
  const startMs = host.now()
  return {
    ...host,
    now: () => startMs + (host.now() - startMs) * rate,
    monotonicMs: () => host.monotonicMs() * rate,
    setTimer: (ms, run) => host.setTimer(ms / rate, run),
    sleep: (ms, signal) => host.sleep(ms / rate, signal),
  }
}

/** A host with a shorter timeout of silent watches; all other limits are unchanged. */
export function shortWatchTimeoutHost(host: Host): Host {
  const isWatchTimeout = (ms: number): boolean => ms === 12_000
  return {
    ...host,
    setTimer: (ms, run) => host.setTimer(isWatchTimeout(ms) ? ms / 100 : ms, run),
  }
}
