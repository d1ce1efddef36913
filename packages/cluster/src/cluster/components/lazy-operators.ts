import type { AnyOperator, Kind, RunningOperators } from 'setpoint'
import { garbageCollector, startConditions } from '../../controllers/index.ts'
import type { KindUse } from './kind-use.ts'
import type { SettledOperators } from './settled.ts'

interface LazyOperatorsOptions {
  readonly used: KindUse
  /** The operators that have no work in the state from which the cluster starts. */
  readonly settled: SettledOperators
  /** The process that runs the operators, so that they share its caches. */
  readonly process: Pick<RunningOperators, 'add' | 'activity'>
}

/**
 * Operators of the cluster that start when there is work for them: with the first object of their
 * kind, or the first one that meets their start condition. If they had no work in the state from which the cluster starts, they start with the next
 * write to a kind that they watch. A typical test uses 3 kinds of 40, and starting all would be most
 * of its time.
 */
export class LazyOperators {
  readonly #options: LazyOperatorsOptions
  /** The operators that have not been started, by name. */
  readonly #idle = new Map<string, AnyOperator>()
  #due: AnyOperator[] = []

  constructor(options: LazyOperatorsOptions) {
    this.#options = options
  }

  /** How many operators will start now. */
  get startingCount(): number {
    return this.#due.length
  }

  add(operators: readonly AnyOperator[]): void {
    const { used, settled } = this.#options
    for (const operator of operators) {
      const { name } = operator.declaration.options
      const { kind } = operator.declaration
      const isEmpty = used.isEmpty(kind)
      this.#idle.set(name, operator)
      const conditions = startConditions.get(name)
      if (conditions !== undefined && !used.isMet(conditions)) {
        used.onMet(conditions, () => this.start(name))
      } else if (!isEmpty && !settled.has(groupOf(name))) this.start(name)
      // Changes of other kinds have no effect while there is nothing to reconcile.
      else for (const one of isEmpty ? [kind] : watchedBy(operator)) this.#startWith(one, name)
    }
  }

  /** Starts an operator that has not been started. */
  start(name: string): void {
    const operator = this.#idle.get(name)
    if (operator === undefined) return
    this.#idle.delete(name)
    this.startNow([operator])
  }

  /** Starts operators that were not added before. Those that are due together start together. */
  startNow(operators: readonly AnyOperator[]): void {
    this.#due.push(...operators)
    if (this.#due.length > operators.length) return
    queueMicrotask(() => this.#options.process.add(this.#due.splice(0)))
  }

  /** The operators that have no work now, and none at a later time. */
  settled(): string[] {
    // The collectors that have not started have no names yet.
    const idle = new Set([garbageCollector, ...this.#idle.keys()])
    const busy = new Set<string>()
    for (const { name, running, waiting, scheduled, failing } of this.#options.process.activity()) {
      const isBusy = running.length + waiting + scheduled + failing.size > 0
      if (isBusy) busy.add(groupOf(name))
      idle.add(groupOf(name))
    }
    return [...idle].filter((name) => !busy.has(name))
  }

  #startWith(kind: Kind, name: string): void {
    this.#options.used.onNext(kind, () => this.start(name))
  }
}

/** The collectors of all kinds are one component. */
function groupOf(name: string): string {
  return name.startsWith(`${garbageCollector}-`) ? garbageCollector : name
}

/** The kinds whose changes cause reconciles of an operator. */
function watchedBy({ declaration }: AnyOperator): Set<Kind> {
  const { kind, owns, watches } = declaration
  return new Set([kind, ...owns, ...watches.map((watch) => watch.kind)])
}
