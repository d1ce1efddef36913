import { syncBuiltinESMExports } from 'node:module'
import { interceptClock } from './intercept-clock.ts'
import { interceptNetwork } from './intercept-network.ts'
import { interceptRandom } from './intercept-random.ts'
import { interceptTimers } from './intercept-timers.ts'
import { forgetScopes } from './process-scope.ts'

/** Several simulations may run at the same time. */
let users = 0
let restore: (() => void)[] = []

/**
 * Replaces what programs use to reach around their host, until it is disposed: clocks, randomness,
 * timers and the network. Only calls of the author's code in a simulated process are answered
 * differently.
 */
export function interceptGlobals(): Disposable {
  users += 1
  if (users === 1) {
    restore = [
      ...interceptClock(),
      ...interceptRandom(),
      ...interceptTimers(),
      ...interceptNetwork(),
    ]
    syncBuiltinESMExports()
  }
  return { [Symbol.dispose]: release }
}

function release(): void {
  users -= 1
  if (users > 0) return
  for (const one of restore) one()
  restore = []
  syncBuiltinESMExports()
  forgetScopes()
}
