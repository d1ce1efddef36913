import { setFlagsFromString } from 'node:v8'

/**
 * Before V8 12 (Node 20) only the slowest compiler optimizes, in threads of its own, and begins early: in a restart it took as much
 * processor time as the program for which it did so. Functions must have run nearly four times as long before it does.
 */
export function compileLater(): void {
  if (Number.parseInt(process.versions.v8) < 12) setFlagsFromString('--interrupt-budget=250000')
}
