import { bypassing } from './process-scope.ts'
import { replaceMember } from './replace-member.ts'

/** Dates and durations come from the clock of the simulated process. */
export function interceptClock(): (() => void)[] {
  const { now } = Date
  const monotonic = performance.now.bind(performance)
  const dateNow = (): number => bypassing('Date.now', dateNow)?.host.now() ?? now()
  const performanceNow = (): number =>
    bypassing('performance.now', performanceNow)?.host.monotonicMs() ?? monotonic()
  return [
    replaceMember(Date, 'now', dateNow),
    replaceMember(performance, 'now', performanceNow),
    replaceMember(globalThis, 'Date', interceptedDate()),
  ]
}

/** `new Date()` and `Date()`, without arguments. Everything else is that of the original. */
function interceptedDate(): DateConstructor {
  const construct = (
    target: DateConstructor,
    args: readonly unknown[],
    newTarget: NewableFunction,
  ): Date => {
    const actual = Object.is(newTarget, replaced) ? target : newTarget
    const scope = args.length === 0 ? bypassing('new Date', construct) : undefined
    const given = scope === undefined ? args : [scope.host.now()]
    return Reflect.construct(target, given, actual) as Date
  }
  const apply = (target: DateConstructor): string => {
    const scope = bypassing('new Date', apply)
    return scope === undefined ? target() : new target(scope.host.now()).toString()
  }
  const replaced = new Proxy(Date, { construct, apply })
  return replaced
}
