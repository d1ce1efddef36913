/** What of the environment the author's code used directly. */
export type BypassedCall = keyof typeof instead

/** A place of the author's code that reaches around the host. */
export interface Bypass {
  readonly what: BypassedCall
  /** The line of the author's code: `src/operator.ts:12`. */
  readonly line: string
}

const time = 'use now() of the context, or now() of the host'
const timer =
  'return { recheckAfter }, use sleep() of the context of a task, or setTimer() and sleep() of the host'
const random =
  'derive it from metadata.uid, use randomBytes() of a child with createOnly, or the host'
const network = 'use fetch or request() of the host, and declare a model of the system in externals'

/** What to use instead of each call. */
const instead = {
  'Date.now': time,
  'new Date': time,
  'performance.now': 'use now() of the context, or monotonicMs() of the host',
  'Math.random': random,
  'crypto.randomUUID': random,
  'crypto.getRandomValues': random,
  'crypto.randomBytes': random,
  'crypto.randomInt': random,
  setTimeout: timer,
  setInterval: timer,
  setImmediate: timer,
  fetch: 'declare a model of the system: externals: [external({ origin, ... })]',
  'a connection': network,
} as const

/** A bypass for people: where it is, and what to do. */
export function bypassText({ what, line }: Bypass): string {
  return `${line}: ${what}: ${instead[what]}`
}

/** The bypasses of a simulation, each place once. */
export class Bypasses {
  readonly #all = new Map<string, Bypass>()

  add(bypass: Bypass): void {
    this.#all.set(`${bypass.line} ${bypass.what}`, bypass)
  }

  /** In the order of their lines, because some are reached only if there is time for many runs. */
  all(): Bypass[] {
    return [...this.#all].sort(([one], [other]) => compared(one, other)).map(([, bypass]) => bypass)
  }
}

function compared(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true })
}
