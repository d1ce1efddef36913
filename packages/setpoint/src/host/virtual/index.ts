/**
 * host/virtual/: a host in one process, without sockets, files or real time.
 *
 * Tests call `virtualHost({ seed })`. It has the semantics of the real host (streams,
 * back-pressure, aborts, clean ends and resets) and adds determinism: the seed decides the order of
 * concurrent events, time moves only when nothing else can happen, and the same seed gives the same
 * trace, byte for byte.
 *
 * Reading order: `event-queue.ts` (what stays in order), `scheduler.ts` (what happens next),
 * `virtual-connection.ts` (a connection), `virtual-request.ts` and `virtual-call.ts` (its two ends).
 */
export {
  type Intercept,
  type Verdict,
  type VirtualEvent,
  type VirtualEventKind,
} from './intercept.ts'
export type { VirtualCommand, VirtualProcess, VirtualProgram } from './virtual-program.ts'
export { virtualHost, type VirtualHost, type VirtualHostOptions } from './virtual-host.ts'
