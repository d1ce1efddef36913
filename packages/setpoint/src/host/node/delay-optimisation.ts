import { setFlagsFromString } from 'node:v8'

/**
 * Before V8 12 (Node 20) only the slowest compiler optimizes, in separate threads, and starts
 * early: in a restart it used as much CPU time as the program itself. This makes it start nearly
 * four times later.
 */
export function delayOptimisation(): void {
  if (Number.parseInt(process.versions.v8) < 12) setFlagsFromString('--interrupt-budget=250000')
}
