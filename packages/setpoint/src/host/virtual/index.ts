/**
 * host/virtual/: a host in one process, without sockets, files or real time.
 *
 * Tests and the simulator call `virtualHost({ seed })`. It promises the same semantics as the real
 * host (streams, back-pressure, aborts, clean ends and resets) and adds determinism: everything
 * that could happen at once is ordered by the seed, time moves only when nothing can happen, and
 * the same seed gives the same trace, byte for byte.
 *
 * Reading order: `lane.ts` (what must stay in order), `scheduler.ts` (what happens next),
 * `wire.ts` (a connection), `exchange.ts` and `virtual-call.ts` (its two ends).
 */
export {
  type Intercept,
  type Verdict,
  type VirtualEvent,
  type VirtualEventKind,
} from './intercept.ts'
export type { VirtualCommand, VirtualProcess, VirtualProgram } from './virtual-program.ts'
export { virtualHost, type VirtualHost, type VirtualHostOptions } from './virtual-host.ts'
